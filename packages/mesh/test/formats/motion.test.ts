import { describe, type ExpectedError, expect, it } from 'vitest';
import { box, formatMotion, type MovingMesh, parseGltf, plane } from '../../src/index.ts';

const still = { translations: [1, 2, 3], rotations: [0, 0, 0, 1] };
const sheet = plane({ size: [1, 1], segments: [1, 1] });

describe('formatMotion', () => {
  it('reads back as the first frame: a body at its pose, a sheet in its shape', async () => {
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

  it('writes given colours, or grey of 0.75', async () => {
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

  it.each<[string, readonly MovingMesh[], ExpectedError]>([
    ['no meshes', [], { code: 'mesh/nothing-in-mesh', field: 'there', values: ['formatMotion'] }],
    ['half a frame', [{ mesh: sheet, shapes: [1, 2, 3] }], { code: 'mesh/wrong-size', values: [0, 3] }],
    [
      'a rotation too few',
      [{ mesh: box(), path: { translations: [0, 0, 0, 0, 0, 0], rotations: [0, 0, 0, 1] } }],
      { code: 'mesh/wrong-size', values: [0, 2, 1] },
    ],
    [
      'a rotation that is not a unit quaternion',
      [{ mesh: box(), path: { ...still, rotations: [1, 1, 0, 0] } }],
      { code: 'mesh/not-a-rotation', element: 'formatMotion: mesh 0', values: ['1.41'] },
    ],
    [
      'a translation of NaN',
      [{ mesh: box(), path: { ...still, translations: [0, Number.NaN, 0] } }],
      { code: 'mesh/not-finite', values: [0, 'NaN'] },
    ],
    [
      'meshes with different numbers of frames',
      [
        { mesh: box(), path: still },
        { mesh: sheet, shapes: [...sheet.positions, ...sheet.positions] },
      ],
      { code: 'mesh/wrong-size', values: [1, 2] },
    ],
    [
      'both a path and shapes',
      [{ mesh: sheet, path: still, shapes: sheet.positions }],
      { code: 'mesh/two-ways-given', values: [0] },
    ],
    [
      'too many shapes',
      [{ mesh: sheet, shapes: new Float64Array(12 * 2049) }],
      { code: 'mesh/too-large', values: [2049, 2048] },
    ],
  ])('refuses %s', async (_, meshes, expected) => {
    await expect(formatMotion({ frameRate: 30, meshes })).rejects.toThrowCode(expected);
  });

  it('refuses a frame rate of 0', async () => {
    await expect(formatMotion({ frameRate: 0, meshes: [{ mesh: box() }] })).rejects.toThrowCode({
      code: 'mesh/option-out-of-range',
      field: 'frameRate',
      values: [0, 'formatMotion'],
    });
  });
});
