import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, type ExpectedError, expect, it } from 'vitest';
import { box, formatGlb, parseGltf, readMesh, type TriangleMesh, writeMesh } from '../../../src/index.ts';
import { baseline, half, palette } from '../../support/images.ts';
import { PLACES, texturedGltf } from '../../support/textured-gltf.ts';

// biome-ignore lint/suspicious/noExplicitAny: any part of the file may be changed.
type Change = (file: any) => void;
const read = (change: Change, image: Uint8Array = half): Promise<TriangleMesh> =>
  parseGltf(texturedGltf(image, change), 'a.gltf');
/** Returns the texture coordinates of all corners of the two triangles 0, 1, 2 and 2, 1, 3 of a strip. */
const corners = (places: readonly number[]): number[] =>
  [0, 1, 2, 2, 1, 3].flatMap((vertex) => [places[2 * vertex], places[2 * vertex + 1]]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradsim-mesh-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('appearance read from glTF', () => {
  it('has texture coordinates per corner of a triangle, and wraps by repeating or clamping', async () => {
    const plain = await read(() => {});
    expect([...(plain.uvs as Float64Array)]).toEqual(corners(PLACES));
    expect(plain.textures!.map(({ wrap }) => wrap)).toEqual(['repeat']);
    expect(plain.triangleTextures).toBeUndefined();
    const clamped = await read((file) => {
      file.samplers = [{ wrapS: 33071, wrapT: 33071 }];
      file.textures[0].sampler = 0;
    });
    expect(clamped.textures![0].wrap).toBe('clamp');
  });

  // The extension's own formula: scaled, then turned, then moved; a quarter turn takes (u, v) to (v, -u).
  it('applies KHR_texture_transform, with its own texture coordinates', async () => {
    const transform = { offset: [0.5, 2], rotation: Math.PI / 2, scale: [2, 4], texCoord: 0 };
    const { uvs } = await read((file) => {
      file.extensionsRequired = ['KHR_texture_transform'];
      file.extensionsUsed = ['KHR_texture_transform'];
      file.materials[0].pbrMetallicRoughness.baseColorTexture = {
        index: 0,
        texCoord: 3,
        extensions: { KHR_texture_transform: transform },
      };
    });
    const moved = PLACES.map((_, k) => (k % 2 === 0 ? 4 * PLACES[k + 1] + 0.5 : -2 * PLACES[k - 1] + 2));
    corners(moved).forEach((wanted, k) => expect(uvs![k]).toBeCloseTo(wanted, 12));
  });

  it('multiplies colour factors and vertex colours', async () => {
    const { colors } = await read((file) => {
      file.materials[0].pbrMetallicRoughness.baseColorFactor = [0.5, 0.25, 1, 1];
      file.accessors[2] = { ...file.accessors[0] };
      file.meshes[0].primitives[0].attributes.COLOR_0 = 2;
    });
    // The positions of the corners, taken for colours.
    expect([...colors!]).toEqual([0, 0, 0, 0.5, 0, 0, 0, 0.25, 0, 0.5, 0.25, 0]);
  });

  it('keeps a texture per material, white if it has none', async () => {
    const mesh = await read((file) => {
      const [first] = file.meshes[0].primitives;
      file.images.push({ bufferView: 1, mimeType: 'image/jpeg' });
      file.bufferViews.push({ buffer: 1, byteLength: baseline.length });
      const uri = `data:;base64,${Buffer.from(baseline).toString('base64')}`;
      file.buffers.push({ byteLength: baseline.length, uri });
      file.textures.push({ source: 1 }, { source: 0 });
      const colored = (index: number) => ({ pbrMetallicRoughness: { baseColorTexture: { index } } });
      file.materials.push(colored(1), {}, colored(2));
      file.meshes[0].primitives = [0, 1, 2, 3].map((material) => ({ ...first, material }));
    });
    const { textures, triangleTextures } = mesh;
    expect(textures!.map(({ width }) => width)).toEqual([16, 16, 1]);
    expect([...(triangleTextures as Uint32Array)]).toEqual([0, 0, 1, 1, 2, 2, 0, 0]);
    expect(textures![0].colors[0]).not.toBe(textures![1].colors[3]);
  });

  it('reads image files beside the .gltf, and is skipped with looks: false', async () => {
    await writeFile(join(folder, 'skin 1.png'), palette);
    const path = join(folder, 'beside.gltf');
    await writeFile(path, texturedGltf({ uri: 'skin%201.png' }));
    expect((await readMesh(path)).textures![0].width).toBe(16);
    await rm(join(folder, 'skin 1.png'));
    await expect(readMesh(path)).rejects.toThrowCode({ code: 'mesh/no-file-beside', values: [0, 1] });
    const shape = await readMesh(path, { looks: false });
    expect(Object.keys(shape).sort()).toEqual(['name', 'positions', 'triangles']);
  });
});

describe('appearance in glTF that is unsupported or missing is refused, unless looks: false:', () => {
  const paint = (file: Parameters<Change>[0]) => file.materials[0].pbrMetallicRoughness;
  it.each<[string, Change, ExpectedError]>([
    [
      'mirrored repeat',
      (f) => {
        f.samplers = [{ wrapS: 33648 }];
        f.textures[0].sampler = 0;
      },
      { code: 'mesh/look-not-supported', values: [0, 'MIRRORED_REPEAT'] },
    ],
    [
      'different wraps in u and v',
      (f) => {
        f.samplers = [{ wrapS: 33071 }];
        f.textures[0].sampler = 0;
      },
      { code: 'mesh/look-not-supported', values: ['wrapS', 'wrapT'] },
    ],
    [
      'images of KHR_texture_basisu',
      (f) => {
        f.textures[0] = { extensions: { KHR_texture_basisu: { source: 0 } } };
      },
      { code: 'mesh/look-not-supported', values: ['KHR_texture_basisu'] },
    ],
    [
      'materials of another model',
      (f) => {
        f.materials[0].extensions = { KHR_materials_pbrSpecularGlossiness: {} };
      },
      { code: 'mesh/look-not-supported', values: ['KHR_materials_pbrSpecularGlossiness'] },
    ],
    [
      'transparent images',
      (f) => {
        f.materials[0].alphaMode = 'MASK';
      },
      { code: 'mesh/look-transparent', values: ['image 0'] },
    ],
    [
      'transparent factors',
      (f) => {
        f.materials[0].alphaMode = 'BLEND';
        paint(f).baseColorFactor = [1, 1, 1, 0.5];
      },
      { code: 'mesh/look-transparent', values: ['material 0 (paint)'] },
    ],
    [
      'no texture coordinates',
      (f) => delete f.meshes[0].primitives[0].attributes.TEXCOORD_0,
      { code: 'mesh/no-texture-coordinates', values: ['TEXCOORD_0'] },
    ],
    [
      'texture coordinates of three numbers',
      (f) => {
        f.meshes[0].primitives[0].attributes.TEXCOORD_0 = 0;
      },
      { code: 'mesh/file-invalid', values: ['VEC3', 'VEC2', 'texture coordinates'] },
    ],
    ['no texture', (f) => (paint(f).baseColorTexture.index = 4), { code: 'mesh/file-damaged', values: [4, 1] }],
    ['no image', (f) => (f.textures[0].source = 2), { code: 'mesh/file-damaged', values: [2, 1] }],
    ['no sampler', (f) => (f.textures[0].sampler = 0), { code: 'mesh/file-damaged', values: ['sampler 0', 0] }],
    ['no file', (f) => (f.images[0] = {}), { code: 'mesh/file-invalid', values: [0, 'undefined'] }],
    ['no view', (f) => (f.images[0] = { bufferView: 9 }), { code: 'mesh/file-damaged', values: [0, 9, 1] }],
    [
      'a colour factor that is not a number',
      (f) => (paint(f).baseColorFactor = [1, 'a']),
      { code: 'mesh/file-damaged', values: ['"a"', 1, 'baseColorFactor'] },
    ],
  ])('%s', async (_, change, expected) => {
    await expect(read(change)).rejects.toThrowCode(expected);
    await expect(read(change)).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^mesh\//), message: expect.stringMatching(/^a\.gltf/) }),
    );
    const shape = await parseGltf(texturedGltf(half, change), 'a.gltf', { looks: false });
    expect(shape.triangles).toHaveLength(6);
  });
});

describe('a mesh with textures written as .glb', () => {
  const cube = box();
  const uvs = Float64Array.from({ length: 72 }, (_, k) => ((5 * k) % 8) / 8);
  const chequers = {
    width: 2,
    height: 1,
    colors: [0, 0.21404114048223255, 1, 1, 0, 0],
    wrap: 'clamp' as const,
  };
  const at = ({ positions, triangles }: TriangleMesh): number[] =>
    Array.from(triangles, (v) => [...positions.subarray(3 * v, 3 * v + 3)]).flat();

  it('is read back with its corners, colours and texels', async () => {
    const mesh = { ...cube, uvs, textures: [chequers], colors: cube.positions.map((x) => x + 0.5) };
    const again = await parseGltf(await formatGlb(mesh));
    expect(at(again)).toEqual(at(mesh));
    expect([...(again.uvs as Float64Array)]).toEqual([...uvs]);
    expect({ ...again.textures![0], colors: 0 }).toEqual({ ...chequers, colors: 0 });
    // 8 bits of sRGB.
    chequers.colors.forEach((x, k) => expect(again.textures![0].colors[k]).toBeCloseTo(x, 2));
    const color = (m: TriangleMesh) => Array.from(m.triangles, (v) => [...m.colors!.subarray(3 * v, 3 * v + 3)]).flat();
    expect(color(again)).toEqual(color(mesh));
  });

  it('is read back with several textures, and colours of triangles', async () => {
    const other = { width: 1, height: 2, colors: [1, 1, 1, 0, 0, 0] };
    const triangleTextures = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
    const colors = Float64Array.from({ length: 36 }, (_, k) => Math.floor(k / 3) / 16);
    const mesh = {
      ...cube,
      uvs,
      textures: [chequers, other],
      triangleTextures,
      colors,
      colorsOn: 'triangles' as const,
    };
    const path = join(folder, 'two.glb');
    await writeMesh(path, mesh);
    const again = await readMesh(path);
    expect(at(again)).toEqual(at(mesh));
    expect([...(again.triangleTextures as Uint32Array)]).toEqual(triangleTextures);
    expect(again.textures!.map(({ width, wrap }) => [width, wrap])).toEqual([
      [2, 'clamp'],
      [1, 'repeat'],
    ]);
    expect(Array.from(again.triangles, (v) => again.colors![3 * v])).toEqual(
      Array.from(mesh.triangles, (_, k) => Math.floor(k / 3) / 16),
    );
  });
});
