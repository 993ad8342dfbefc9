import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  box,
  checkSolid,
  formatAsciiStl,
  formatGlb,
  formatObj,
  formatStl,
  icosphere,
  parseGltf,
  parseObj,
  parseStl,
  placeMesh,
  readMesh,
  signedVolume,
  type TriangleMesh,
  triangleCount,
  weldMesh,
  writeMesh,
} from '../../src/index.ts';

const ball: TriangleMesh = placeMesh(icosphere({ subdivisions: 1 }), { scale: [0.1, 0.2, 1 / 3] });
const colored: TriangleMesh = { ...ball, colors: ball.positions.map((x) => Math.abs(x)) };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-mesh-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('OBJ', () => {
  it('written and read again has exactly the same positions, indices and colours', async () => {
    const again = await parseObj(formatObj(colored));
    expect(again.positions).toEqual(colored.positions);
    expect(again.triangles).toEqual(colored.triangles);
    expect(again.colors).toEqual(colored.colors);
  });

  it('reads polygons, negative references, texture and normal indices, comments', async () => {
    const mesh = await parseObj('v 0 0 0\nv 1 0 0 # corner\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf -4/1 2/1/1 3//1 4\n');
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('continues a line after a backslash, and counts both lines', async () => {
    const { triangles } = await parseObj('v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\nf 1 \\\n 2 \\\n 3\n');
    expect([...triangles]).toEqual([0, 1, 2]);
    await expect(parseObj('v 0 0 \\\n0\nf 1 2 3\n', 'a.obj')).rejects.toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [3, 2, 'a.obj', 'vertex'],
    });
  });

  it.each([
    ['v 0 0 zero\n', { code: 'mesh/file-invalid', values: ['"zero"', 'a.obj, line 1'] }],
    ['v 0 0\n', { code: 'mesh/file-invalid', values: [1, 3] }],
    ['v 0 0 0\nf 1 2 3\n', { code: 'mesh/no-such-vertex', values: [2, 1, 'vertex'] }],
    ['v 0 0 0\nf 0 1 1\n', { code: 'mesh/file-invalid', values: ['"0"', 2] }],
    ['v 0 0 0\nf 1 1\n', { code: 'mesh/file-invalid', values: [2, 3] }],
    ['', { code: 'mesh/nothing-in-mesh', values: ['a.obj'] }],
    ['hello', { code: 'mesh/file-invalid', values: ['"hello"', 'OBJ', 'a.obj, line 1'] }],
    ['v 0 0 0x1\n', { code: 'mesh/file-invalid', values: ['"0x1"'] }],
    ['v 0 0 0\nfo 1 1 1\n', { code: 'mesh/file-invalid', values: ['"fo"', 2] }],
    ['v 0 0 0\nf 1 1.0 1\n', { code: 'mesh/file-invalid', values: ['"1.0"', 2] }],
    ['cstype bezier\n', { code: 'mesh/format-not-supported', values: ['"cstype"', 1] }],
    ['vt 0.5 up\n', { code: 'mesh/file-invalid', values: ['"up"', 1] }],
    ['v 0 0 0\nvt 0 0\nf 1/2 1/1 1/1\n', { code: 'mesh/no-such-vertex', values: [3, 1, 'texture coordinates 2'] }],
    ['v 0 0 0\nf 1/-1 1 1\n', { code: 'mesh/file-invalid', values: ['"1/-1"', 2] }],
  ])('refuses %j', async (text, expected) => {
    await expect(parseObj(text, 'a.obj')).rejects.toThrowCode(expected);
  });
});

describe('STL', () => {
  it('binary round trip returns a closed mesh, in single precision', () => {
    const again = parseStl(formatStl(ball));
    expect(triangleCount(again)).toBe(80);
    expect(() => checkSolid(again)).not.toThrow();
    expect(signedVolume(again) / signedVolume(ball)).toBeCloseTo(1, 6);
  });

  it('ASCII, written and read again, has exactly the same positions', () => {
    const again = parseStl(new TextEncoder().encode(formatAsciiStl(ball)));
    expect(() => checkSolid(again)).not.toThrow();
    expect(new Set(again.positions)).toEqual(new Set(ball.positions));
  });

  it('refuses truncated files', () => {
    expect(() => parseStl(formatStl(ball).subarray(0, 3000), 'b.stl')).toThrowCode({
      code: 'mesh/file-damaged',
      field: 'b.stl',
      values: ['STL', 3000, 4084],
    });
    const text = new TextEncoder().encode(formatAsciiStl(ball).split('\n').slice(0, 40).join('\n'));
    expect(() => parseStl(text, 'b.stl')).toThrowCode('mesh/file-damaged');
    expect(() => parseStl(new Uint8Array(10), 'b.stl')).toThrowCode({ code: 'mesh/file-damaged', values: ['STL'] });
  });
});

describe('glTF', () => {
  it('written and read again has the same indices, and positions and colours rounded to single precision', async () => {
    const again = await parseGltf(await formatGlb(colored));
    expect(again.triangles).toEqual(colored.triangles);
    expect(again.positions).toEqual(Float64Array.from(Float32Array.from(colored.positions)));
    expect(again.colors).toEqual(Float64Array.from(Float32Array.from(colored.colors!)));
  });

  it('keeps colours of triangles, and is closed again after welding', async () => {
    const faces = { ...ball, colors: new Float64Array(3 * 80).fill(0.25), colorsOn: 'triangles' as const };
    const again = await parseGltf(await formatGlb(faces));
    expect(again.positions.length / 3).toBe(240);
    expect([...new Set(again.colors)]).toEqual([0.25]);
    expect(() => checkSolid(weldMesh(again))).not.toThrow();
  });

  it('applies node transforms (mirrors too), material colours, and files beside a .gltf', async () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
    await writeFile(join(folder, 'corner 1.bin'), new Uint8Array(positions.buffer));
    const json = {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0, translation: [5, 0, 0], scale: [-2, 1, 1] }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
      materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 0.5, 0.25, 1] } }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ uri: 'corner%201.bin', byteLength: 36 }],
    };
    await writeFile(join(folder, 'corner.gltf'), JSON.stringify(json));
    const mesh = await readMesh(join(folder, 'corner.gltf'));
    expect([...mesh.positions]).toEqual([5, 0, 0, 3, 0, 0, 5, 1, 0]);
    expect([...mesh.triangles]).toEqual([0, 2, 1]);
    expect([...mesh.colors!.subarray(0, 3)]).toEqual([1, 0.5, 0.25]);
  });

  it('refuses truncated files', async () => {
    const bytes = await formatGlb(ball);
    await expect(parseGltf(bytes.subarray(0, 100), 'c.glb')).rejects.toThrowCode({
      code: 'mesh/file-damaged',
      values: ['c.glb', 100],
    });
  });
});

describe('readMesh and writeMesh', () => {
  it.each(['obj', 'stl', 'glb'])('round trip .%s, and overwrite only if requested', async (ending) => {
    const path = join(folder, 'sub', `ball.${ending}`);
    await writeMesh(path, ball);
    expect(() => checkSolid(ball)).not.toThrow();
    expect(signedVolume(await readMesh(path)) / signedVolume(ball)).toBeCloseTo(1, 6);
    await expect(writeMesh(path, ball)).rejects.toThrowCode('mesh/file-exists');
    await writeMesh(path, box(), { overwrite: true });
    expect(signedVolume(await readMesh(path))).toBeCloseTo(1, 12);
  });

  it('leave no file behind if a mesh is refused', async () => {
    const bad = { ...box(), positions: new Float64Array(24).fill(Number.NaN) };
    await expect(writeMesh(join(folder, 'bad', 'bad.obj'), bad)).rejects.toThrowCode({
      code: 'mesh/not-finite',
      values: ['NaN'],
    });
    expect(await readdir(folder)).not.toContain('bad');
  });

  it('refuse to read an unknown extension or a missing file', async () => {
    await expect(readMesh('thing.blend')).rejects.toThrowCode('mesh/unknown-format');
    await expect(readMesh(join(folder, 'none.obj'))).rejects.toThrowCode('mesh/no-file');
  });
});
