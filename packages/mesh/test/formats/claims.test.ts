import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, type ExpectedError, expect, it } from 'vitest';
import {
  box,
  chain,
  formatAsciiStl,
  formatStl,
  icosphere,
  lattice,
  parseGltf,
  parseStl,
  parseTet,
  placeMesh,
  plane,
  readMesh,
  readTetMesh,
  tetBox,
  triangleCount,
  uvSphere,
  writeMesh,
} from '../../src/index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-mesh-'));
});
afterAll(() => rm(folder, { recursive: true }));

const text = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

/** Returns four vertices of a square as a .gltf of one primitive, whose JSON `change` may modify. */
function square(primitive: object, change: (file: Record<string, unknown[]>) => void = () => {}): Uint8Array {
  const corners = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);
  const uri = `data:application/octet-stream;base64,${Buffer.from(corners.buffer).toString('base64')}`;
  const file = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, ...primitive }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: 48 }],
    buffers: [{ uri, byteLength: 48 }],
  };
  change(file as unknown as Record<string, unknown[]>);
  return text(file);
}

describe('input for a mesh that is huge or malformed is refused:', () => {
  it('glTF with an accessor of 1e8 elements and no view, or only a sparse one', async () => {
    const huge = { componentType: 5126, count: 1e8, type: 'VEC3' };
    const plain = square({}, (file) => file.accessors.push(huge));
    await expect(parseGltf(plain, 'a.gltf')).rejects.toThrowCode({
      code: 'mesh/file-damaged',
      values: [100000000, 'a.gltf'],
    });
    const sparse = { count: 1, indices: { bufferView: 0, componentType: 5125 }, values: { bufferView: 0 } };
    const given = square({}, (file) => file.accessors.push({ ...huge, sparse }));
    await expect(parseGltf(given, 'a.gltf')).rejects.toThrowCode({
      code: 'mesh/file-damaged',
      values: [100000000, 48, 'a.gltf'],
    });
  });

  it('glTF whose nodes repeat a mesh up to 4e7 triangles, or form a cycle', async () => {
    const many = square({ mode: 5 }, (file) => {
      file.nodes = Array.from({ length: 400 }, () => ({ mesh: 0 }));
      file.scenes = [{ nodes: file.nodes.map((_, k) => k) }];
      const bytes = Buffer.alloc(12e5).toString('base64');
      file.buffers = [{ uri: `data:application/octet-stream;base64,${bytes}`, byteLength: 12e5 }];
      file.bufferViews = [{ buffer: 0, byteLength: 12e5 }];
      Object.assign(file.accessors[0] as object, { count: 1e5 });
    });
    await expect(parseGltf(many, 'a.gltf')).rejects.toThrowCode({ code: 'mesh/too-large', values: [40000000] });
    const cycle = square({}, (file) => {
      file.nodes = [{ mesh: 0 }, { children: [2] }, { children: [1] }];
    });
    await expect(parseGltf(cycle, 'a.gltf')).rejects.toThrowCode({ code: 'mesh/file-damaged', values: [1, 'a.gltf'] });
  });

  it.each([
    ['translation', null, 'the translation null, which is no list of 3 numbers'],
    ['rotation', [0, 0, 1], 'the rotation [0, 0, 1], which is no list of 4 numbers'],
    ['scale', [1, '1', 1], 'the scale [1, "1", 1], which is no list of 3 numbers'],
    ['matrix', 'VEC3', 'the matrix "VEC3", which is no list of 16 numbers'],
  ])('glTF with a node whose %s is not a list of the right number of numbers', async (part, value, message) => {
    const moved = square({ mode: 5 }, (file) => {
      file.nodes = [{ mesh: 0, [part]: value }];
    });
    await expect(parseGltf(moved, 'a.gltf')).rejects.toThrowCode({
      code: 'mesh/file-damaged',
      values: ['a.gltf', 0, message],
    });
  });

  it.each([
    [
      'icosphere',
      () => icosphere({ subdivisions: 30 }),
      { code: 'mesh/too-large', values: ['2.31e+19', 'icosphere', 'triangles'] },
    ],
    [
      'uvSphere',
      () => uvSphere({ segments: 1e5, rings: 1e5 }),
      { code: 'mesh/too-large', values: ['2.00e+10', 'uvSphere', 'triangles'] },
    ],
    [
      'tetBox',
      () => tetBox({ cells: [1000, 1000, 1000] }),
      { code: 'mesh/too-large', values: ['5.00e+9', 'tetBox', 'tetrahedra'] },
    ],
    [
      'lattice',
      () => lattice({ cells: [1000, 1000, 1000] }),
      { code: 'mesh/too-large', values: ['1.30e+10', 'lattice', 'lines'] },
    ],
    [
      'plane',
      () => plane({ segments: [1e5, 1e5] }),
      { code: 'mesh/too-large', values: ['2.00e+10', 'plane', 'triangles'] },
    ],
    ['chain', () => chain({ segments: 1e9 }), { code: 'mesh/too-large', values: ['1.00e+9', 'chain', 'lines'] }],
  ])('%s of a billion elements or more', (_, make, message) => {
    expect(make).toThrowCode(message);
  });
});

describe('readers of meshes lose nothing silently', () => {
  it('strips and fans of glTF are read with the right orientation', async () => {
    const strip = await parseGltf(square({ mode: 5 }));
    expect([...strip.triangles]).toEqual([0, 1, 2, 2, 1, 3]);
    const fan = await parseGltf(square({ mode: 6 }));
    expect([...fan.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    const both = square({}, (file) => {
      const attributes = { POSITION: 0 };
      file.accessors.push({ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' });
      file.meshes = [{ primitives: [{ attributes: { POSITION: 1 } }, { attributes, mode: 5 }] }];
    });
    expect(triangleCount(await parseGltf(both))).toBe(3);
  });

  it.each<[string, object, (file: Record<string, unknown[]>) => void, ExpectedError]>([
    [
      'positions of two numbers',
      { mode: 5 },
      (f) => Object.assign(f.accessors[0] as object, { type: 'VEC2', min: undefined, max: undefined }),
      { code: 'mesh/file-invalid', values: ['VEC2', 'VEC3', 'positions'] },
    ],
    ['mode 7', { mode: 7 }, () => {}, { code: 'mesh/file-invalid', values: [7] }],
    [
      'a strip of two vertices',
      { mode: 5 },
      (f) => Object.assign(f.accessors[0] as object, { count: 2 }),
      { code: 'mesh/file-invalid', values: [2] },
    ],
    [
      'a skin',
      { mode: 5 },
      (f) => Object.assign(f.nodes[0] as object, { skin: 0 }),
      { code: 'mesh/moving-mesh', values: [0] },
    ],
    [
      'a mesh with morph weights',
      { mode: 5 },
      (f) => Object.assign(f.meshes[0] as object, { weights: [0.5] }),
      'mesh/moving-mesh',
    ],
  ])('%s in glTF is refused', async (_, primitive, change, message) => {
    await expect(parseGltf(square(primitive, change), 'a.gltf')).rejects.toThrowCode(message);
  });

  it('a binary STL with too small a count, or an ASCII STL with invalid facets, is refused', () => {
    const bytes = formatStl(box());
    new DataView(bytes.buffer).setUint32(80, 11, true);
    expect(() => parseStl(bytes, 'b.stl')).toThrowCode({ code: 'mesh/file-damaged', values: [11, 634, 684, 'b.stl'] });
    const ascii = formatAsciiStl(box());
    const read = (changed: string) => () => parseStl(new TextEncoder().encode(changed), 'b.stl');
    expect(read(ascii.replace('vertex', 'vertx'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: ['"vertx"', 4, 'b.stl'],
    });
    expect(read(ascii.replace('  endloop\n', '  vertex 0 0 0\n  endloop\n'))).toThrowCode({
      code: 'mesh/file-invalid',
      values: ['"vertex"', 7, 'b.stl'],
    });
  });

  it('an STL of triangles without an area is refused, not read as an empty mesh', () => {
    const point =
      'solid p\nfacet normal 0 0 1\nouter loop\nvertex 1 1 1\nvertex 1 1 1\nvertex 1 1 1\nendloop\nendfacet\nendsolid';
    expect(() => parseStl(new TextEncoder().encode(point), 'p.stl')).toThrowCode({
      code: 'mesh/degenerate-triangle',
      values: [1, 'p.stl'],
    });
  });

  it('lines of an unknown kind in a .tet are refused', () => {
    const tet = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3 # the only one\n';
    expect(parseTet(tet).tets).toHaveLength(4);
    expect(() => parseTet(tet.replace('t 0', 'T 0'), 'a.tet')).toThrowCode({
      code: 'mesh/file-invalid',
      values: ['"T"', 5, 'a.tet'],
    });
  });
});

describe('a misspelt option, or a scale or rotation that is impossible, is refused', () => {
  const typo = <T>(options: object): T => options as T;
  it.each([
    [
      () => readMesh('a.obj', typo({ weld: true })),
      { code: 'base/unknown-option', values: ['"weld"', 'readMesh', 'allowOutside'] },
    ],
    [
      () => readTetMesh('a.tet', typo({ dropunused: true })),
      { code: 'base/unknown-option', values: ['"dropunused"', '"dropUnused"', 'readTetMesh'] },
    ],
    [
      () => writeMesh('a.obj', box(), typo({ overwite: true })),
      { code: 'base/unknown-option', values: ['"overwite"', 'writeMesh'] },
    ],
    [async () => parseTet('', 'a', typo({ drop: 1 })), { code: 'base/unknown-option', values: ['"drop"', 'parseTet'] }],
    [
      async () => placeMesh(box(), typo({ scal: [1, 1, 1] })),
      { code: 'base/unknown-option', values: ['"scal"', 'placeMesh'] },
    ],
    [
      async () => placeMesh(box(), typo({ scale: -1 })),
      { code: 'mesh/option-out-of-range', values: [-1, 3, 'placeMesh', 'scale'] },
    ],
    [async () => placeMesh(box(), { scale: [1, 0, 1] }), { code: 'mesh/option-out-of-range', values: [0] }],
    [async () => placeMesh(box(), { rotation: [0, 0, 1, 1] }), { code: 'mesh/not-a-rotation', values: ['1.41'] }],
    [
      async () => icosphere(typo({ subdivison: 3 })),
      { code: 'base/unknown-option', values: ['"subdivison"', 'icosphere'] },
    ],
  ])('case %#', async (call, message) => {
    await expect(call()).rejects.toThrowCode(message);
  });
});

describe('a .gltf that refers to a file outside of its folder, without allowOutside', () => {
  it.each(['../secret.bin', '..%2Fsecret.bin', 'link.bin', 'down/../../secret.bin'])('%s is refused', async (uri) => {
    const inside = join(folder, 'inside');
    await mkdir(join(inside, 'down'), { recursive: true });
    await writeFile(
      join(folder, 'secret.bin'),
      new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0).buffer),
    );
    await symlink(join(folder, 'secret.bin'), join(inside, 'link.bin')).catch(() => {});
    const path = join(inside, 'a.gltf');
    const file = square({ mode: 5 }, (json) => Object.assign(json.buffers[0] as object, { uri }));
    await writeFile(path, file);
    await expect(readMesh(path)).rejects.toThrowCode({ code: 'mesh/outside-of-folder', values: ['allowOutside'] });
    expect(triangleCount(await readMesh(path, { allowOutside: true }))).toBe(2);
  });
});
