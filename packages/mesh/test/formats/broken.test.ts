import { describe, type ExpectedError, expect, it } from 'vitest';
import {
  box,
  checkSolid,
  formatAsciiStl,
  formatGlb,
  formatObj,
  formatStl,
  parseGltf,
  parseObj,
  parseStl,
  type TriangleMesh,
} from '../../src/index.ts';

const block = box({ size: [0.3, 1.25, 1 / 3] });
const mesh: TriangleMesh = { ...block, name: 'block', colors: block.positions.map((x) => Math.abs(x)) };

describe('mesh files truncated anywhere', () => {
  it('as .glb are refused by name', async () => {
    const bytes = await formatGlb(mesh);
    for (let length = 0; length < bytes.length; length++) {
      await expect(parseGltf(bytes.slice(0, length), 'c.glb')).rejects.toThrowCode(
        length < 4
          ? { code: 'mesh/file-invalid', values: ['c.glb'] }
          : { code: 'mesh/file-damaged', values: ['c.glb'] },
      );
    }
  });

  it('as .stl are refused by name, unless ASCII is cut after its last word, endsolid', () => {
    const binary = formatStl(mesh);
    for (let length = 0; length < binary.length; length++)
      expect(() => parseStl(binary.slice(0, length), 'b.stl')).toThrowCode({
        code: 'mesh/file-damaged',
        field: 'b.stl',
        values: ['STL'],
      });
    const text = formatAsciiStl(mesh);
    const whole = parseStl(new TextEncoder().encode(text));
    // The name after the last word, endsolid, may be missing.
    const needed = text.lastIndexOf('endsolid') + 'endsolid'.length;
    for (let length = 0; length < text.length; length++) {
      const read = () => parseStl(new TextEncoder().encode(text.slice(0, length)), 'b.stl');
      if (length < needed)
        expect(read).toThrow(
          expect.objectContaining({
            code: expect.stringMatching(/^mesh\/file-(damaged|invalid)$/),
            message: expect.stringMatching(/^b\.stl/),
          }),
        );
      else expect(read().positions).toEqual(whole.positions);
    }
  });

  // OBJ has no counts: a file that ends between two lines is a whole file with fewer faces, and no solid any more.
  it('as .obj are refused by name, or read as a mesh that checkSolid refuses as open', async () => {
    const text = formatObj(mesh);
    let prefixes = 0;
    for (let length = 0; length < text.trimEnd().length; length++) {
      let read: TriangleMesh;
      try {
        read = await parseObj(text.slice(0, length), 'a.obj');
      } catch (error) {
        expect((error as Error).message).toMatch(
          /^a\.obj(, line \d+:| holds no faces|: \d+ of \d+ vertices have colours)/,
        );
        continue;
      }
      prefixes++;
      expect(() => checkSolid(read)).toThrowCode({ code: 'mesh/not-closed', values: ['Mesh a.obj'] });
    }
    expect(prefixes).toBeGreaterThan(0);
  });
});

describe('glTF is refused if broken, naming the part:', async () => {
  const bytes = await formatGlb(mesh);
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const data = bytes.slice(28 + length);
  // biome-ignore lint/suspicious/noExplicitAny: any part of the file may be broken.
  const read = (change: (file: any) => void, buffer = data) => {
    const file = structuredClone(json);
    change(file);
    file.buffers[0].uri = `data:application/octet-stream;base64,${btoa(String.fromCharCode(...buffer))}`;
    return parseGltf(new TextEncoder().encode(JSON.stringify(file)), 'd.gltf');
  };
  const poked = (poke: (view: DataView) => void): Uint8Array<ArrayBuffer> => {
    const buffer = data.slice();
    poke(new DataView(buffer.buffer));
    return buffer;
  };
  it('but read if intact', async () => {
    expect((await read(() => {})).triangles).toEqual(mesh.triangles);
  });
  // biome-ignore lint/suspicious/noExplicitAny: any part of the file may be broken.
  it.each<[string, (file: any) => void, ExpectedError]>([
    ['scene', (f) => (f.scene = 3), { code: 'mesh/file-damaged', values: [3, 1, 'd.gltf'] }],
    ['node', (f) => (f.scenes[0].nodes = [9]), { code: 'mesh/file-damaged', values: [0, 9, 1, 'd.gltf'] }],
    ['child', (f) => (f.nodes[0].children = [-1]), { code: 'mesh/file-damaged', values: [0, -1, 'd.gltf'] }],
    ['mesh', (f) => (f.nodes[0].mesh = 7), { code: 'mesh/file-damaged', values: [0, 7, 1, 'd.gltf'] }],
    [
      'positions',
      (f) => (f.meshes[0].primitives[0].attributes.POSITION = 77),
      { code: 'mesh/file-damaged', values: ['mesh 0', 'accessor 77', 'd.gltf'] },
    ],
    [
      'indices',
      (f) => (f.meshes[0].primitives[0].indices = 77),
      { code: 'mesh/file-damaged', values: ['mesh 0', 'accessor 77', 'd.gltf'] },
    ],
    [
      'material',
      (f) => (f.meshes[0].primitives[0].material = 5),
      { code: 'mesh/file-damaged', values: [0, 5, 1, 'd.gltf'] },
    ],
    ['accessors', (f) => delete f.accessors, { code: 'mesh/file-damaged', values: ['mesh 0', 'accessor 0', 'd.gltf'] }],
    [
      'view',
      (f) => (f.accessors[0].bufferView = 77),
      { code: 'mesh/file-damaged', values: ['accessor 0', 'view 77', 'd.gltf'] },
    ],
    ['count', (f) => (f.accessors[0].count = 800), { code: 'mesh/file-damaged', values: [800, 'd.gltf'] }],
    [
      'offset',
      (f) => (f.bufferViews[0].byteOffset = 99999),
      { code: 'mesh/file-damaged', values: ['view 0', 'd.gltf'] },
    ],
    ['buffer', (f) => (f.bufferViews[0].buffer = 2), { code: 'mesh/file-damaged', values: [0, 2, 1, 'd.gltf'] }],
    ['odd count', (f) => (f.accessors[2].count -= 1), { code: 'mesh/file-invalid', values: [35, 'd.gltf'] }],
  ])('%s', async (_, change, message) => {
    await expect(read(change)).rejects.toThrowCode(message);
  });
  it('buffers that are too short, indices of missing vertices, NaN', async () => {
    await expect(read(() => {}, data.slice(0, 100))).rejects.toThrowCode({
      code: 'mesh/file-damaged',
      values: [100, 'd.gltf', 'a buffer'],
    });
    const wrong = poked((view) => view.setUint32(view.byteLength - 4, 4000, true));
    await expect(read(() => {}, wrong)).rejects.toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [11, 4000, 8, 'd.gltf'],
    });
    const nan = poked((view) => view.setFloat32(0, Number.NaN, true));
    await expect(read(() => {}, nan)).rejects.toThrowCode({ code: 'mesh/not-finite', values: [0, 'd.gltf', 'NaN'] });
  });
});
