import type { Plugin } from '@gradsim/core';
import { buildModel, createSimulation, definePlugin, f32, f64Device, GradsimError, kernel, vec4 } from '@gradsim/core';
import type { GradientCheck, GradientPart } from '@gradsim/core/testing';
import { checkGradientParts, freshSeed } from '@gradsim/core/testing';
import { toRows } from '../layout.ts';
import { layoutOf } from '../layouts.ts';
import type { Drawing, RendererOptions } from '../raster/drawing.ts';
import type { CheckedLook } from './scene.ts';
import { checkedScene } from './scene.ts';
import { zBuffer } from './z-buffer.ts';

/** Creates the plugin of the renderer under test with the given options, whose `drawings` say which outputs to draw. */
export type CreateRenderer = (options: RendererOptions) => Plugin;

export interface RendererCheckOptions {
  /**
   * Creates the renderer with outlines and depth order as sharp as it can make them, for the comparison with a
   * z-buffer.
   */
  readonly createSharp: CreateRenderer;
  /** Outputs that the renderer can draw, all of which are checked. Default all. */
  readonly drawings?: readonly Drawing[];
  /** Seed of the random points, colours, weights and directions; by default a new one every time. */
  readonly seed?: number;
}

/** Measurements of {@link checkRenderer}. */
export interface RendererCheck {
  readonly seed: number;
  /** Directional derivatives by adjoint, tangent and central differences, by output and parameter. */
  readonly gradients: Readonly<Record<string, GradientCheck['parameters']>>;
  /**
   * Mean absolute differences between renderer and z-buffer, by output: of the components of `color` and of `silhouette`
   * (in [0, 1]) and of `normal`; of `depth` relative to the larger one, a pixel that
   * shows a face; and for `face` the fraction of pixels with another
   * face.
   */
  readonly sharpDifferences: Readonly<Record<string, number>>;
}

const CHANNELS = ['red', 'green', 'blue', 'opacity'] as const;

/** Plugin that copies the components of `pixels.rgba` into one field each. */
const channelFieldsPlugin: Plugin = definePlugin({
  name: 'channels-of-the-check',
  contract: 1,
  requires: ['@gradsim/render'],
  build: ({ model }) =>
    model.addPass(
      'observe',
      kernel(
        'channels',
        {
          domain: 'pixels',
          reads: { rgba: vec4 },
          writes: { red: f32, green: f32, blue: f32, opacity: f32 },
        },
        ({ rgba: { x, y, z, w } }) => ({ red: x, green: y, blue: z, opacity: w }),
      ),
    ),
});

const HARMONICS = Array.from({ length: 9 }, (_, k) => [0, 1, 2].map((c) => (k ? 0.1 * Math.sin(3 * k + c) : 0.8)));

const PLACEMENT_PARAMETERS = [
  'points.position',
  ...['target', 'distance', 'elevation', 'azimuth', 'roll', 'fieldOfView', 'distortion'].map((c) => `cameras.${c}`),
];
/**
 * Lens parameters that are not checked for the face that extends behind the camera: there the lens is evaluated at its
 * edge, where their effects cancel to rounding error.
 */
const LENS_PARAMETERS = ['cameras.k3', 'cameras.tangential'];
const LIGHT_PARAMETERS = ['world.ambient', 'lights.direction', 'lights.color'];
const HIGHLIGHT_PARAMETERS = ['lights.specular', 'lights.shininess'];

/** Appearances of the scene that together cover every kind of input, and the parameters checked in each. */
const CHECKED_LOOKS: readonly {
  readonly name: string;
  readonly look: CheckedLook;
  readonly parameters: readonly string[];
}[] = [
  {
    name: 'textures in all lights',
    look: {
      textured: true,
      lit: true,
      cameras: 1,
      options: {
        colors: 'corner',
        normals: 'vertex',
        shading: 'phong',
        harmonics: HARMONICS,
        ambient: [0.1, 0.2, 0.1],
      },
    },
    parameters: [
      ...[
        ...PLACEMENT_PARAMETERS,
        ...LENS_PARAMETERS,
        ...LIGHT_PARAMETERS,
        ...HIGHLIGHT_PARAMETERS,
        'world.background',
        'vertices.albedo',
      ],
      ...['faces.u', 'faces.v', 'texels.color', 'harmonics.radiance'],
    ],
  },
  {
    name: 'flat faces before two cameras',
    look: { textured: false, lit: true, cameras: 2, options: { ambient: [0.3, 0.2, 0.4] } },
    parameters: [...PLACEMENT_PARAMETERS, ...LENS_PARAMETERS, ...LIGHT_PARAMETERS, 'faces.albedo', 'pixels.background'],
  },
  {
    name: 'textures with mip maps',
    look: { textured: true, texels: 7, lit: false, cameras: 2, options: { mipMaps: true } },
    parameters: ['points.position', 'faces.albedo', 'faces.u', 'faces.v', 'texels.color'],
  },
  {
    name: 'a face that reaches behind the camera',
    look: { textured: false, lit: false, cameras: 1, reachesBehind: true, options: { colors: 'corner' } },
    parameters: [...PLACEMENT_PARAMETERS, 'vertices.albedo'],
  },
];

/**
 * Checks a renderer against what every renderer promises, in double precision, on small scenes of its own:
 *
 * - derivatives of each channel of `pixels.rgba`, `pixels.alpha`, `pixels.depth` and `pixels.normal` with respect to
 * each kind of input (vertices, colours, texture coordinates, texels, lights, cameras and their lenses, the
 * background): adjoint against tangent (relative error 1e-10) and against central differences (1e-6);
 *
 * - the picture of the renderer made by `createSharp` against a plain z-buffer, for two cameras and a picture that is not
 * square: colours, alpha and normals differ by less than one grey level in the mean (1/255), and so do depths, relative
 * to the larger one, and the fraction of pixels that show another face.
 *
 * Central differences fail where a pixel is so near to the centre line of a texel, or to an edge, that the step crosses
 * it: once in some dozens of seeds. Repeat with another seed to tell this from a wrong derivative, which fails with
 * any; tests had better set the seed.
 *
 * ```ts
 * await checkRenderer((options) => softRas({ ...options, sigma: 1e-3, gamma: 1e-2 }), {
 *   createSharp: (options) => softRas({ ...options, sigma: 1e-9, gamma: 1e-7 }),
 * });
 * ```
 * @throws if an error is beyond its tolerance, with what was compared, the errors and the seed.
 */
export async function checkRenderer(create: CreateRenderer, options: RendererCheckOptions): Promise<RendererCheck> {
  const { drawings = ['color', 'silhouette', 'depth', 'normal', 'face'], seed = freshSeed() } = options;
  // First, since it takes a tenth of the time of the derivatives.
  const sharp = await differencesToZBuffer(options.createSharp, drawings, seed);
  for (const [what, difference] of Object.entries(sharp)) {
    if (!(difference < 1 / 255))
      throw new GradsimError(
        'render/renderer-differs',
        `As sharp as it can be, the picture and a plain z-buffer differ by ${difference} in the mean of ${what}, more than a grey level (seed ${seed}).`,
      );
  }
  const gradients: Record<string, GradientCheck['parameters']> = {};
  for (const { name, look, parameters } of CHECKED_LOOKS) {
    const background = parameters.includes('pixels.background') ? 'image' : 'color';
    const renderer = create({ drawings, background, backgroundColor: [0.2, 0.5, 0.3] });
    const model = buildModel(
      checkedScene(seed, renderer, look, drawings.includes('color') ? [channelFieldsPlugin] : []),
    );
    const placed = look.reachesBehind ? PLACEMENT_PARAMETERS : [...PLACEMENT_PARAMETERS, ...LENS_PARAMETERS];
    const parts: GradientPart[] = [
      ...(drawings.includes('color') ? CHANNELS.map((c) => ({ outputs: [`pixels.${c}`], parameters })) : []),
      ...(drawings.includes('silhouette') ? [{ outputs: ['pixels.alpha'], parameters: placed }] : []),
      ...(drawings.includes('depth') ? [{ outputs: ['pixels.depth'], parameters: placed }] : []),
      ...(drawings.includes('normal') ? [{ outputs: ['pixels.normal'], parameters: placed }] : []),
    ];
    const checked = await checkGradientParts(model, { frames: 1, frameRate: 1, substeps: 1, seed }, parts);
    for (const [k, { outputs }] of parts.entries()) gradients[`${outputs[0]}: ${name}`] = checked[k];
  }
  return { seed, gradients, sharpDifferences: sharp };
}

/** Mean absolute difference between the renderer's and the z-buffer's pictures of two cameras, by output. */
async function differencesToZBuffer(
  sharp: CreateRenderer,
  drawings: readonly Drawing[],
  seed: number,
): Promise<RendererCheck['sharpDifferences']> {
  const size = { width: 150, height: 101 };
  const background = [0.2, 0.5, 0.3] as const;
  const look = { textured: false, lit: false, cameras: 2, options: {}, size };
  const scene = checkedScene(seed, sharp({ drawings, backgroundColor: background, far: EMPTY_DEPTH }), look);
  const model = buildModel(scene);
  const pictures = drawings.map((drawing) => `pixels.${OUTPUT_FIELDS[drawing].field}`);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: [...pictures, 'viewVertices.ndc', 'vertices.position', 'faces.color'],
  });
  simulation.forward();
  const read = (key: string): Promise<Float64Array> => simulation.readFrames(key);
  const got = await Promise.all(pictures.map(read));
  const [ndc, positions, colors] = await Promise.all(
    ['viewVertices.ndc', 'vertices.position', 'faces.color'].map(read),
  );
  simulation.dispose();
  const faces = model.field('faces.corners').values!;
  const plain = [0, 1].map((camera) => {
    const vertices = ndc.subarray((camera * ndc.length) / 2, ((camera + 1) * ndc.length) / 2);
    return zBuffer({ ...size, vertices, faces, colors, background });
  });
  const shown = plain.flatMap((picture) => [...picture.faceOfPixel]);
  const normals = normalsOf(positions, faces);
  const wanted = {
    color: plain.flatMap(({ rgba }) => [...rgba]),
    silhouette: plain.flatMap(({ rgba }) => [...rgba.filter((_, k) => k % 4 === 3)]),
    depth: plain.flatMap(({ depth }) => [...depth.map((z) => Math.min(z, EMPTY_DEPTH))]),
    normal: shown.flatMap((face) => normals[face] ?? [0, 0, 0, 0]),
    face: shown,
  };
  const layout = layoutOf(model);
  return Object.fromEntries(
    drawings.map((drawing, k) => {
      const { components, difference = (a, b) => Math.abs(a - b) } = OUTPUT_FIELDS[drawing];
      const rows = toRows(layout, got[k], components);
      const off = wanted[drawing].map((value, n) => difference(value, rows[n]));
      // Depths differ where a face is; the background would make the mean small.
      const count = drawing === 'depth' ? shown.filter((face) => face in normals).length : off.length;
      return [drawing, off.reduce((sum, d) => sum + d, 0) / count];
    }),
  );
}

/** Depth of pixels that show no face, m. */
const EMPTY_DEPTH = 100;

interface Picture {
  /** Name of the field in `pixels`. */
  readonly field: string;
  readonly components: number;
  /** Difference of two values, 0 to 1; by default the absolute one. */
  readonly difference?: (a: number, b: number) => number;
}

/** Outputs, all of which the z-buffer draws too. */
const OUTPUT_FIELDS: Readonly<Record<Drawing, Picture>> = {
  color: { field: 'rgba', components: 4 },
  silhouette: { field: 'alpha', components: 1 },
  depth: { field: 'depth', components: 1, difference: (a, b) => Math.abs(a - b) / Math.max(a, b) },
  normal: { field: 'normal', components: 4 },
  face: { field: 'face', components: 1, difference: (a, b) => Number(a !== b) },
};

/** Unit normal of every face, followed by alpha 1: x, y, z, 1. */
function normalsOf(positions: ArrayLike<number>, faces: ArrayLike<number>): number[][] {
  return Array.from({ length: faces.length / 3 }, (_, f) => {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((i) => positions[3 * faces[3 * f + k] + i]));
    const [u, v] = [b, c].map((corner) => corner.map((x, i) => x - a[i]));
    const n = [0, 1, 2].map((i) => u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
    const length = Math.hypot(...n);
    return [...n.map((x) => x / length), 1];
  });
}
