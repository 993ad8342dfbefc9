import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatObj, parseObj, readMesh, type TriangleMesh } from '../../src/index.ts';
import { baseline, cmyk, half } from '../support/images.ts';

const SQUARE = `mtllib looks.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 0.75
vt 0 1
usemtl red paint
f 1/1 2/2 3/3
usemtl wood
f 1/-4 3/-2 4/-1
`;
const LOOKS = `# made by hand
newmtl red paint
Ka 1 1 1
Kd 0.5 0.25 0
illum 2
newmtl wood
Kd 1 1 0.5
map_Kd -blendu on -clamp on -s 1 1 1 fine wood.png
`;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (files: Record<string, string | Uint8Array>, text = SQUARE, looks?: boolean): Promise<TriangleMesh> =>
  parseObj(text, 'a.obj', {
    looks,
    readBeside: async (uri) => {
      const file = files[decodeURIComponent(uri)];
      if (file === undefined) throw new Error(`There is no file ${uri}.`);
      return typeof file === 'string' ? encode(file) : file;
    },
  });
const ALL = { 'looks.mtl': LOOKS, 'fine wood.png': half };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-mesh-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('appearance read from OBJ', () => {
  it('has colours and images of materials, with v counted downwards', async () => {
    const mesh = await read(ALL);
    expect(mesh.colorsOn).toBe('triangles');
    expect([...mesh.colors!]).toEqual([0.5, 0.25, 0, 1, 1, 0.5]);
    expect([...(mesh.uvs as Float64Array)]).toEqual([0, 1, 1, 1, 1, 0.25, 0, 1, 1, 0.25, 0, 0]);
    expect(mesh.textures!.map(({ width, wrap = 'repeat' }) => [width, wrap])).toEqual([
      [1, 'repeat'],
      [16, 'clamp'],
    ]);
    expect([...(mesh.triangleTextures as Uint32Array)]).toEqual([0, 1]);
  });

  it('is skipped with looks: false, and without materials', async () => {
    const shape = await read({}, SQUARE, false);
    expect(Object.keys(shape).sort()).toEqual(['name', 'positions', 'triangles']);
    const plain = await parseObj(SQUARE.replace('mtllib looks.mtl\n', ''), 'a.obj');
    expect(Object.keys(plain).sort()).toEqual(['name', 'positions', 'triangles', 'uvs']);
    const unused = await parseObj(SQUARE.replaceAll(/usemtl .*\n/g, ''), 'a.obj');
    expect(unused.colors).toBeUndefined();
  });

  it('is read from a folder, with slashes or backslashes in paths, and images recognised by their bytes', async () => {
    const map = LOOKS.replace('fine wood.png', 'fine wood.jpg').replace('-clamp on ', '');
    await writeFile(join(folder, 'looks.mtl'), map);
    await writeFile(join(folder, 'fine wood.jpg'), baseline);
    await writeFile(join(folder, 'a.obj'), SQUARE);
    expect((await readMesh(join(folder, 'a.obj'))).textures![1].wrap).toBe('repeat');
    const windows = LOOKS.replace('fine wood.png', 'maps\\wood.png');
    const nested = await read(
      { 'sub/looks.mtl': windows, 'sub/maps/wood.png': half },
      SQUARE.replace('looks.mtl', 'sub\\looks.mtl'),
    );
    expect(nested.textures).toHaveLength(2);
    await writeFile(join(folder, 'looks.mtl'), LOOKS.replace('fine wood.png', '../secret.png'));
    await expect(readMesh(join(folder, 'a.obj'))).rejects.toThrow(/outside of its folder/);
  });

  it('uses vertex colours in place of Kd', async () => {
    const colored = SQUARE.replaceAll(/^v (.*)$/gm, 'v $1 0.1 0.2 0.3');
    const mesh = await read(ALL, colored);
    expect(mesh.colorsOn ?? 'vertices').toBe('vertices');
    expect([...mesh.colors!.subarray(0, 3)]).toEqual([0.1, 0.2, 0.3]);
    expect(mesh.textures).toHaveLength(2);
  });

  it('includes texture coordinates that writeMesh wrote', async () => {
    const mesh = await read(ALL);
    const again = await parseObj(formatObj(mesh));
    expect([...(again.uvs as Float64Array)]).toEqual([...(mesh.uvs as Float64Array)]);
  });
});

describe('appearance of OBJ is refused', () => {
  const mtl = (from: string, to: string) => ({ ...ALL, 'looks.mtl': LOOKS.replace(from, to) });
  it.each<[string, Record<string, string | Uint8Array>, string]>([
    ['no .mtl', {}, 'a.obj needs the file looks.mtl, which cannot be had: There is no file looks.mtl. Put it'],
    ['no image', { 'looks.mtl': LOOKS }, 'A material of a.obj needs the file fine wood.png, which cannot be had'],
    ['an image of inks', { ...ALL, 'fine wood.png': cmyk }, 'fine wood.png cannot be read: it has 4 channels'],
    ['no such material', mtl('newmtl wood', 'newmtl oak'), 'line 12: there is no material "wood" in looks.mtl'],
    ['a scaled image', mtl('-s 1 1 1', '-s 2 2 1'), 'looks.mtl, line 8: map_Kd has -s 2 2 1, which is not'],
    ['a moved image', mtl('-s 1 1 1', '-o 0.5'), 'map_Kd has -o 0.5, which is not supported'],
    ['an option that there is not', mtl('-s 1', '-x 1'), 'looks.mtl, line 8: map_Kd has no option -x'],
    ['no file name', mtl(' fine wood.png', ''), 'line 8: map_Kd names no file'],
    ['a transparent material', mtl('illum 2', 'd 0.5'), 'looks.mtl, line 5: it is transparent (d)'],
    ['no colour', mtl('Kd 0.5 0.25 0', 'Kd spectral a.rfl'), 'line 4: Kd is "spectral a.rfl"'],
    ['no MTL', { ...ALL, 'looks.mtl': 'hello' }, 'looks.mtl, line 1: "hello" is in no material'],
    ['an empty MTL', { ...ALL, 'looks.mtl': '# none\n' }, 'looks.mtl holds no materials'],
  ])('%s', async (_, files, message) => {
    await expect(read(files)).rejects.toThrow(message);
  });

  it('if faces lack texture coordinates for an image, or files cannot be fetched', async () => {
    const bare = SQUARE.replace('1/-4 3/-2 4/-1', '1 3 4');
    await expect(read(ALL, bare)).rejects.toThrow(
      'a.obj, line 13: the face names no texture coordinates, but its material has the image fine wood.png',
    );
    await expect(parseObj(SQUARE, 'a.obj')).rejects.toThrow(
      'a.obj needs the file looks.mtl beside it. Use readMesh, give readBeside, or read the shape alone: looks: false',
    );
  });
});
