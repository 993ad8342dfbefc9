import type { Plugin, Scene, Surface, Texture } from '@gradsim/core';
import { buildModel, createScene, createSimulation, definePlugin, f64Device, Surfaces, vec3 } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import type { RenderOptions } from '@gradsim/render';
import { DirectionalLight, layoutOf, OrbitCamera, render, toRows } from '@gradsim/render';
import { dibr } from '@gradsim/render-dibr';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

/** Plugin with a static square of side 2 in the plane z = 0, of two triangles. */
const square = (surface: Partial<Surface>): Plugin =>
  definePlugin({
    name: 'square',
    contract: 1,
    offers: [Surfaces],
    build: ({ model }) => {
      model.addDomain('points', 4);
      const values = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
      const position = model.addField('points', 'position', vec3, { values });
      model.offer(Surfaces, { position, triangles: [0, 1, 2, 0, 2, 3], ...surface });
    },
  });

/** Texture coordinates of the corners: (0, 0) at the upper left of the square, (1, 1) at the lower right. */
const UVS = [0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0];
const texture = (width: number, height: number, wrap?: Texture['wrap']): Texture => ({
  width,
  height,
  wrap,
  colors: Array.from({ length: 3 * width * height }, (_, k) => 0.1 + (0.8 * ((7 * k) % 11)) / 11),
});

const SIZE = { width: 32, height: 32 };
/** Camera at distance 2, with the field of view at which the square fills the picture. */
const CAMERA = { distance: 2, fieldOfView: 2 * Math.atan(1 / 2) };

const RENDERERS = [
  ['dibr', () => dibr()],
  ['softRas', () => softRas({ sigma: 1e-8 })],
] as const;

async function draw(plugins: readonly Plugin[], fill: (scene: Scene) => void = () => {}): Promise<Float64Array> {
  const scene = createScene(plugins);
  scene.add(OrbitCamera, CAMERA);
  fill(scene);
  const model = buildModel(scene);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: ['pixels.rgba'],
  });
  simulation.forward();
  const rows = toRows(layoutOf(model), Float64Array.from(await simulation.readFrames('pixels.rgba')), 4);
  simulation.dispose();
  return rows;
}

/** Bilinear sample, from the definition, of a texture at ((x + 1/2)/32, (y + 1/2)/32), the centre of pixel (x, y). */
function sample({ width, height, colors, wrap }: Texture, u: number, v: number): number[] {
  const index = (k: number, size: number): number =>
    wrap === 'clamp' ? Math.min(size - 1, Math.max(0, k)) : ((k % size) + size) % size;
  const [x, y] = [u * width - 0.5, v * height - 0.5];
  const [i, j] = [Math.floor(x), Math.floor(y)];
  return [0, 1, 2].map((c) => {
    const at = (p: number, q: number): number => colors[3 * (index(q, height) * width + index(p, width)) + c];
    const along = (q: number): number => at(i, q) * (i + 1 - x) + at(i + 1, q) * (x - i);
    return along(j) * (j + 1 - y) + along(j + 1) * (y - j);
  });
}

describe.each(RENDERERS)('appearance, drawn by %s', (_, renderer) => {
  it.each([
    ['repeat', texture(5, 3), 1.7, -0.4],
    ['clamp', texture(4, 6, 'clamp'), 1.7, -0.4],
    ['one texel', texture(1, 1), 3, 0],
  ] as const)(
    'samples a texture bilinearly, the top row first, also if it is not square: %s',
    async (_name, given, zoom, shift) => {
      const uvs = UVS.map((x) => zoom * x + shift);
      const rows = await draw([square({ textures: [given], uvs }), render(SIZE), renderer()]);
      for (const [x, y] of [
        [3, 2],
        [29, 4],
        [5, 27],
        [17, 13],
      ]) {
        const wanted = sample(given, (zoom * (x + 0.5)) / 32 + shift, (zoom * (y + 0.5)) / 32 + shift);
        wanted.forEach((value, c) => expect(rows[4 * (32 * y + x) + c]).toBeCloseTo(value, 6));
      }
    },
  );

  it('draws each triangle with its own texture', async () => {
    const textures = [texture(5, 3), texture(4, 6, 'clamp')];
    const rows = await draw([square({ textures, triangleTextures: [1, 0], uvs: UVS }), render(SIZE), renderer()]);
    // The first triangle is the lower right half.
    for (const [x, y, k] of [
      [24, 20, 1],
      [9, 5, 0],
    ])
      sample(textures[k], (x + 0.5) / 32, (y + 0.5) / 32).forEach((value, c) =>
        expect(rows[4 * (32 * y + x) + c]).toBeCloseTo(value, 6),
      );
  });

  it('has Phong highlights where the light is reflected into the camera', async () => {
    const light = {
      direction: [0.3, 0.2, 1],
      color: [0.5, 0.4, 0.3],
      specular: [0.2, 0.3, 0.4],
      shininess: 9,
    };
    const rows = await draw(
      [
        square({ triangleColors: [1, 0.5, 0.25, 1, 0.5, 0.25] }),
        render({ ...SIZE, shading: 'phong', ambient: [0.1, 0.2, 0.3] }),
        renderer(),
      ],
      (scene) => scene.add(DirectionalLight, light),
    );
    const [x, y] = [20, 9];
    const place = [(2 * x + 1) / 32 - 1, 1 - (2 * y + 1) / 32, 0];
    const unit = (v: readonly number[]): number[] => v.map((c) => c / Math.hypot(...v));
    const [l, v] = [unit(light.direction), unit([-place[0], -place[1], 2])];
    const mirrored = [-l[0], -l[1], 2 * l[2] - l[2]];
    const along = mirrored.reduce((sum, c, k) => sum + c * v[k], 0);
    expect(along).toBeGreaterThan(0.5);
    [1, 0.5, 0.25].forEach((color, c) => {
      const wanted = color * ([0.1, 0.2, 0.3][c] + light.color[c] * l[2]) + light.specular[c] * along ** 9;
      expect(rows[4 * (32 * y + x) + c]).toBeCloseTo(wanted, 6);
    });
  });

  it('is lit by the sum of spherical harmonics at the surface normal', async () => {
    // On the normal (0, 0, 1) the harmonics 0, 2 (z) and 6 (3 z^2 - 1) are not 0.
    const harmonics = Array.from({ length: 9 }, (_k, k) => [0.1 * k, 1 - 0.1 * k, 0.5]);
    const rows = await draw([
      square({ triangleColors: [1, 1, 1, 1, 1, 1] }),
      render({ ...SIZE, harmonics }),
      renderer(),
    ]);
    [0, 1, 2].forEach((c) => {
      const wanted = 0.282095 * harmonics[0][c] + 0.488603 * harmonics[2][c] + 2 * 0.315392 * harmonics[6][c];
      expect(rows[4 * (32 * 16 + 9) + c]).toBeCloseTo(wanted, 6);
    });
  });

  it('interpolates vertex normals: a cube lit from the front is brightest in the middle of its front face', async () => {
    // A cube seen along its diagonal: each visible corner in the middle has the normal of the diagonal.
    const rows = await draw(
      [rigid(), render({ ...SIZE, normals: 'vertex', ambient: [0, 0, 0] }), renderer()],
      (scene) => {
        const mesh = { ...box({ size: [0.4, 0.4, 0.4] }), colors: new Float64Array(24).fill(1) };
        scene.add(Body, { mesh, mass: 1 });
        scene.add(DirectionalLight, { direction: [0, 0, 1] });
      },
    );
    // On the front face, the corners' normals lean outwards and meet in the middle: brightest there.
    const at = (x: number, y: number): number => rows[4 * (32 * y + x)];
    expect(at(16, 16)).toBeGreaterThan(at(13, 13) + 0.001);
    expect(at(13, 13)).toBeGreaterThan(0.5);
  });
});

describe.each([
  ['dibr', () => dibr({ delta: 1e-9, drawings: ['color', 'depth'] })],
  ['softRas', () => softRas({ sigma: 1e-9, gamma: 1e-7, drawings: ['color', 'depth'] })],
] as const)('a face that reaches behind the camera, drawn by %s', (_, renderer) => {
  // A ground at y = -h under the eye at (0, 0, 2), which looks along -z: two corners are behind, or one is.
  const h = 0.4;
  const grounds = [
    ['two corners', [-60, -h, 20, 60, -h, 20, 0, -h, -30]],
    ['one corner', [0, -h, 40, 90, -h, -30, -90, -h, -30]],
  ] as const;
  it.each(grounds)('shows depth and colours of its part in front as along rays: %s behind', async (_name, ground) => {
    const model = await lookAt([...ground], renderer());
    const { rgba, depth } = model;
    const tangent = Math.tan(CAMERA.fieldOfView / 2);
    let covered = 0;
    for (let pixel = 0; pixel < 32 * 32; pixel++) {
      const [x, y] = [(2 * (pixel % 32) + 1) / 32 - 1, 1 - (2 * Math.floor(pixel / 32) + 1) / 32];
      const along = -h / (tangent * y);
      const [px, pz] = [along * tangent * x, 2 - along];
      const w = barycentric(ground, px, pz);
      // At the very edge, outlines are soft.
      if (Math.abs(Math.min(...w)) < 3e-3) continue;
      if (y > 0 || Math.min(...w) < 0) {
        expect(rgba[4 * pixel + 3]).toBeLessThan(1e-3);
        continue;
      }
      covered++;
      expect(depth[pixel]).toBeCloseTo(along, 6);
      expect(rgba[4 * pixel + 3]).toBeCloseTo(1, 6);
      // Each corner has a colour of its own, so colours are the parts of the corners.
      w.forEach((part, c) => expect(rgba[4 * pixel + c]).toBeCloseTo(part, 6));
    }
    expect(covered).toBeGreaterThan(300);
  });

  it('shows nothing of a face that lies behind the camera as a whole', async () => {
    const { rgba } = await lookAt([-60, -h, 20, 60, -h, 20, 0, -h, 3], renderer());
    expect(Math.max(...rgba)).toBe(0);
  });

  /** Barycentric weights of a triangle's corners at a point of the ground plane. */
  function barycentric(corners: readonly number[], x: number, z: number): number[] {
    const at = [0, 1, 2].map((k) => [corners[3 * k], corners[3 * k + 2]]);
    const area = (p: readonly number[], q: readonly number[], r: readonly number[]): number =>
      (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    const all = area(at[0], at[1], at[2]);
    return [0, 1, 2].map((k) => area(at[(k + 1) % 3], at[(k + 2) % 3], [x, z]) / all);
  }

  async function lookAt(points: number[], drawn: Plugin): Promise<{ rgba: Float64Array; depth: Float64Array }> {
    const ground = definePlugin({
      name: 'ground',
      contract: 1,
      offers: [Surfaces],
      build: ({ model }) => {
        model.addDomain('points', 3);
        const position = model.addField('points', 'position', vec3, { values: points });
        model.offer(Surfaces, { position, triangles: [0, 1, 2], vertexColors: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
      },
    });
    const scene = createScene([ground, render({ ...SIZE, colors: 'corner' }), drawn]);
    scene.add(OrbitCamera, CAMERA);
    const model = buildModel(scene);
    const record = ['pixels.rgba', 'pixels.depth'];
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 1,
      frameRate: 1,
      substeps: 1,
      record,
    });
    simulation.forward();
    const [rgba, depth] = [await simulation.readFrames(record[0]), await simulation.readFrames(record[1])];
    simulation.dispose();
    return {
      rgba: toRows(layoutOf(model), Float64Array.from(rgba), 4),
      depth: toRows(layoutOf(model), Float64Array.from(depth), 1),
    };
  }
});

describe('the plugin render refuses', () => {
  const build = (surface: Partial<Surface>, options: Partial<RenderOptions> = {}, light?: object): unknown => {
    const scene = createScene([square(surface), render({ ...SIZE, ...options })]);
    scene.add(OrbitCamera, CAMERA);
    if (light) scene.add(DirectionalLight, light, 'the lamp');
    return buildModel(scene);
  };
  it.each([
    [
      'a texture without uvs',
      { textures: [texture(2, 2)] },
      { code: 'render/no-texture-coordinates', field: 'The surface over points' },
    ],
    ['uvs of too few corners', { uvs: [0, 1] }, { code: 'render/wrong-size', values: [12] }],
    [
      'a texture of zero size',
      { uvs: UVS, textures: [texture(0, 2)] },
      { code: 'render/texture-size', values: [0, 'width'] },
    ],
    [
      'texels of another number',
      { uvs: UVS, textures: [{ width: 2, height: 2, colors: [1, 1, 1] }] },
      { code: 'render/wrong-size', values: [3, 12] },
    ],
    [
      'a texture that there is not',
      { uvs: UVS, textures: [texture(2, 2)], triangleTextures: [0, 1] },
      { code: 'render/no-such-texture', values: [1, 0, 'The surface over points'] },
    ],
    [
      'textures of too few triangles',
      { uvs: UVS, textures: [texture(2, 2)], triangleTextures: [0] },
      { code: 'render/wrong-size', values: [2, 1, 'triangleTextures'] },
    ],
  ])('%s', (_, surface, expected) => {
    expect(() => build(surface)).toThrowCode(expected);
  });

  it('a light direction of zero length, a specular light without Phong shading, a wrong number of harmonics', () => {
    expect(() => build({}, {}, { direction: [0, 0, 0] })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'lights.direction',
      element: 'the lamp',
      values: ['(0, 0, 0)'],
    });
    expect(() => build({}, {}, { direction: [0, 1, 0], specular: [1, 1, 1] })).toThrowCode(
      'render/highlights-not-drawn',
    );
    expect(() => build({}, { harmonics: [[1, 1, 1]] })).toThrowCode({ code: 'render/wrong-size', values: [1] });
  });
});

describe.each(RENDERERS)('mip maps, drawn by %s', (_, renderer) => {
  const drawn = (of: Texture, mipMaps: boolean): Promise<Float64Array> =>
    draw([square({ textures: [of], uvs: UVS }), render({ ...SIZE, mipMaps }), renderer()]);
  const spread = (rows: Float64Array): number => {
    const reds = [...rows].filter((__, k) => k % 4 === 0);
    return Math.max(...reds) - Math.min(...reds);
  };
  /** Texture of alternating black and white texels, 16 of them per pixel. */
  const chequers: Texture = {
    width: 131,
    height: 125,
    colors: Array.from({ length: 3 * 131 * 125 }, (__, k) => {
      const [column, row] = [Math.floor(k / 3) % 131, Math.floor(k / (3 * 131))];
      return (column + row) % 2;
    }),
  };
  it('average a chequered texture that is finer than pixels to one grey', async () => {
    expect(spread(await drawn(chequers, false))).toBeGreaterThan(0.3);
    // Of an odd number the last is left out of the means.
    expect(spread(await drawn(chequers, true))).toBeLessThan(0.02);
  });
  it('change nothing where texels are larger than pixels', async () => {
    const coarse = texture(8, 6);
    expect([...(await drawn(coarse, true))]).toEqual([...(await drawn(coarse, false))]);
  });
  it('leave a texture of a single colour unchanged', async () => {
    const plain: Texture = { width: 200, height: 77, colors: Array(3 * 200 * 77).fill(0.25) };
    const rows = await drawn(plain, true);
    const seen = [...rows].filter((__, k) => k % 4 < 3 && rows[4 * Math.floor(k / 4) + 3] > 0.999);
    expect(seen.length).toBeGreaterThan(2000);
    for (const value of seen) expect(value).toBeCloseTo(0.25, 9);
  });
});
