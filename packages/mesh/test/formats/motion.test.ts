import { describe, expect, it } from 'vitest';
import { box, formatMotion, type MovingMesh, parseGltf, plane } from '../../src/index.ts';

const still = { translations: [1, 2, 3], rotations: [0, 0, 0, 1] };
const sheet = plane({ size: [1, 1], segments: [1, 1] });

describe('formatMotion', () => {
  it('starts at the first frame: bodies at their pose, sheets in their shape', async () => {
    const path = {
      translations: [1, 2, 3, 4, 5, 6],
      rotations: [0, Math.SQRT1_2, 0, Math.SQRT1_2, 0, 0, 0, 1],
    };
    const shapes = [...sheet.positions, ...sheet.positions.map((x) => 2 * x)];
    const bytes = await formatMotion({ frameRate: 10, meshes: [{ mesh: sheet, shapes }] });
    expect((await parseGltf(bytes)).positions).toEqual(sheet.positions);
    const turned = await parseGltf(await formatMotion({ frameRate: 10, meshes: [{ mesh: box(), path }] }));
    // A quarter turn about y takes (x, y, z) to (z, y, -x).
    const { positions } = box();
    for (let v = 0; v < 8; v++) {
      const [x, y, z] = positions.subarray(3 * v);
      const seen = turned.positions.subarray(3 * v, 3 * v + 3);
      [z + 1, y + 2, -x + 3].forEach((wanted, axis) => expect(seen[axis]).toBeCloseTo(wanted, 6));
    }
  });

  it('writes appearance: given colours, or grey', async () => {
    const colors = sheet.positions.map((x) => Math.abs(x));
    const colored = await formatMotion({ frameRate: 1, meshes: [{ mesh: { ...sheet, colors } }] });
    expect((await parseGltf(colored)).colors).toEqual(colors);
    const plain = await parseGltf(await formatMotion({ frameRate: 1, meshes: [{ mesh: sheet }] }));
    expect(new Set(plain.colors)).toEqual(new Set([0.75]));
  });

  it('writes no animation for a single frame or a static mesh', async () => {
    for (const moving of [{ mesh: box() }, { mesh: box(), path: still }, { mesh: sheet, shapes: sheet.positions }]) {
      const bytes = await formatMotion({ frameRate: 1, meshes: [moving] });
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
      expect(JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)))).not.toHaveProperty('animations');
    }
  });

  it.each<[string, readonly MovingMesh[], RegExp]>([
    ['no meshes', [], /formatMotion: there are no meshes/],
    ['half a frame', [{ mesh: sheet, shapes: [1, 2, 3] }], /mesh 0: shapes has 3 values\. There must be 12 a frame/],
    [
      'a turn too few',
      [{ mesh: box(), path: { translations: [0, 0, 0, 0, 0, 0], rotations: [0, 0, 0, 1] } }],
      /mesh 0 has 2 translations, but 1 rotations/,
    ],
    [
      'no quaternion',
      [{ mesh: box(), path: { ...still, rotations: [1, 1, 0, 0] } }],
      /mesh 0: the quaternion of frame 0 has the length 1\.41/,
    ],
    [
      'what is not finite',
      [{ mesh: box(), path: { ...still, translations: [0, Number.NaN, 0] } }],
      /mesh 0: translations holds NaN in frame 0/,
    ],
    [
      'frames of another number',
      [
        { mesh: box(), path: still },
        { mesh: sheet, shapes: [...sheet.positions, ...sheet.positions] },
      ],
      /mesh 1 has 2 frames, but one before it 1/,
    ],
    ['both', [{ mesh: sheet, path: still, shapes: sheet.positions }], /mesh 0 has both a path and shapes/],
    [
      'too many shapes',
      [{ mesh: sheet, shapes: new Float64Array(12 * 2049) }],
      /has 2049 frames of moved vertices, and at most 2048/,
    ],
  ])('refuses %s', async (_, meshes, message) => {
    await expect(formatMotion({ frameRate: 30, meshes })).rejects.toThrow(message);
  });

  it('refuses an invalid frame rate', async () => {
    await expect(formatMotion({ frameRate: 0, meshes: [{ mesh: box() }] })).rejects.toThrow(
      'formatMotion: frameRate is 0. It must be a positive number of frames a second',
    );
  });
});
