import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, type ExpectedError, expect, it } from 'vitest';
import { formatObj, parseObj, readMesh, type TriangleMesh } from '../../../src/index.ts';
import { baseline, cmyk, half } from '../../support/images.ts';

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

  it('is skipped with looks: false; without materials there are no colours', async () => {
    const shape = await read({}, SQUARE, false);
    expect(Object.keys(shape).sort()).toEqual(['name', 'positions', 'triangles']);
    const plain = await parseObj(SQUARE.replace('mtllib looks.mtl\n', ''), 'a.obj');
    expect(Object.keys(plain).sort()).toEqual(['name', 'positions', 'triangles', 'uvs']);
    const unused = await parseObj(SQUARE.replaceAll(/usemtl .*\n/g, ''), 'a.obj');
    expect(unused.colors).toBeUndefined();
  });

  it('is read from its folder, not outside, with slashes or backslashes, images recognised by their bytes', async () => {
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
    await expect(readMesh(join(folder, 'a.obj'))).rejects.toThrowCode('mesh/no-file-beside');
  });

  it('uses vertex colours in place of Kd', async () => {
    const colored = SQUARE.replaceAll(/^v (.*)$/gm, 'v $1 0.1 0.2 0.3');
    const mesh = await read(ALL, colored);
    expect(mesh.colorsOn ?? 'vertices').toBe('vertices');
    expect([...mesh.colors!.subarray(0, 3)]).toEqual([0.1, 0.2, 0.3]);
    expect(mesh.textures).toHaveLength(2);
  });

  it('has the same texture coordinates after formatObj and parseObj', async () => {
    const mesh = await read(ALL);
    const again = await parseObj(formatObj(mesh));
    expect([...(again.uvs as Float64Array)]).toEqual([...(mesh.uvs as Float64Array)]);
  });
});

describe('appearance of OBJ is refused with', () => {
  const mtl = (from: string, to: string) => ({ ...ALL, 'looks.mtl': LOOKS.replace(from, to) });
  it.each<[string, Record<string, string | Uint8Array>, ExpectedError]>([
    ['no .mtl', {}, { code: 'mesh/no-file-beside', values: ['looks.mtl', 'a.obj needs'] }],
    ['no image', { 'looks.mtl': LOOKS }, { code: 'mesh/no-file-beside', values: ['a.obj', 'fine wood.png'] }],
    [
      'a CMYK image',
      { ...ALL, 'fine wood.png': cmyk },
      { code: 'mesh/image-not-supported', values: [4, 'fine wood.png'] },
    ],
    [
      'a material missing in the .mtl',
      mtl('newmtl wood', 'newmtl oak'),
      { code: 'mesh/no-such-material', field: 'wood', values: [12, 'looks.mtl'] },
    ],
    ['a scaled image', mtl('-s 1 1 1', '-s 2 2 1'), { code: 'mesh/file-invalid', values: [8, 2, 1, 'looks.mtl'] }],
    ['a moved image', mtl('-s 1 1 1', '-o 0.5'), { code: 'mesh/file-invalid', values: [0.5] }],
    [
      'an unknown option of an image',
      mtl('-s 1', '-x 1'),
      { code: 'mesh/file-invalid', values: ['looks.mtl, line 8', '-x'] },
    ],
    ['no file name', mtl(' fine wood.png', ''), { code: 'mesh/file-invalid', values: [8] }],
    ['a transparent material', mtl('illum 2', 'd 0.5'), { code: 'mesh/file-invalid', values: [5, 'looks.mtl'] }],
    [
      'a spectral colour',
      mtl('Kd 0.5 0.25 0', 'Kd spectral a.rfl'),
      { code: 'mesh/file-invalid', values: ['"spectral a.rfl"', 4] },
    ],
    [
      'an .mtl that is another text',
      { ...ALL, 'looks.mtl': 'hello' },
      { code: 'mesh/file-invalid', values: ['"hello"', 'looks.mtl, line 1'] },
    ],
    ['an empty MTL', { ...ALL, 'looks.mtl': '# none\n' }, { code: 'mesh/file-invalid', values: ['looks.mtl'] }],
  ])('%s', async (_, files, expected) => {
    await expect(read(files)).rejects.toThrowCode(expected);
  });

  it('faces without texture coordinates for an image, or no function that reads files beside', async () => {
    const bare = SQUARE.replace('1/-4 3/-2 4/-1', '1 3 4');
    await expect(read(ALL, bare)).rejects.toThrowCode({
      code: 'mesh/no-texture-coordinates',
      values: [13, 'a.obj', 'fine wood.png'],
    });
    await expect(parseObj(SQUARE, 'a.obj')).rejects.toThrowCode({
      code: 'mesh/no-file-beside',
      values: ['a.obj', 'looks.mtl'],
    });
  });
});
