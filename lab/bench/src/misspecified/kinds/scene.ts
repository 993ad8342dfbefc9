import type { Plugin, Scene } from '@gradsim/core';
import { createScene, definePlugin, Surfaces } from '@gradsim/core';
import type { Mesh, TriangleMesh } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import type { Departures } from '../kind.ts';

/** Width and height of the pictures, px: a multiple of the renderer's tiles. */
export const SIZE = 40;
/** Colour of the background. */
const BACKGROUND = [0.45, 0.5, 0.55] as const;
/** Vertical angle of view of the model's camera, rad. */
export const FIELD_OF_VIEW = 0.7;
const LIGHT = { direction: [0.5, 1, 0.9], color: [0.7, 0.7, 0.7] } as const;

/** A camera that looks along -z at a point. */
interface View {
  readonly target: readonly [number, number, number];
  readonly distance: number;
  /** Azimuth of the camera, rad. Default 0.2. */
  readonly azimuth?: number;
  /** Owner of colours: faces or corners. Default `face`. */
  readonly colors?: 'face' | 'corner';
  /** True if both sides are lit, as for a sheet. Default false. */
  readonly twoSided?: boolean;
}

/** A scene with a camera and a light. */
export function filmedScene(
  plugins: readonly Plugin[],
  { target, distance, azimuth = 0.2, colors = 'face', twoSided = false }: View,
  { fieldOfView, light }: Departures,
): Scene {
  const scene = createScene([
    ...plugins,
    render({ width: SIZE, height: SIZE, colors, twoSided }),
    softRas({
      sigma: (0.7 / SIZE) ** 2,
      gamma: 0.03,
      near: 0.2,
      far: 3 * distance,
      compositing: 'coverage',
      backgroundColor: [...BACKGROUND],
    }),
  ]);
  const [x, y, z] = LIGHT.direction;
  const [cosine, sine] = [Math.cos(light), Math.sin(light)];
  scene.add(OrbitCamera, {
    target,
    distance,
    elevation: 0.15,
    azimuth,
    fieldOfView: FIELD_OF_VIEW * (1 + fieldOfView),
  });
  scene.add(DirectionalLight, { direction: [cosine * x + sine * z, y, cosine * z - sine * x], color: LIGHT.color });
  return scene;
}

/** Returns a colour changed by the departure `color`. */
const tintColour = ([red, green, blue]: readonly number[], { color }: Departures): number[] => [
  red * (1 + color),
  green,
  blue * (1 - color / 2),
];

/** Texture of 2 x 2 texels, a chequerboard of white and a grey that is darker for higher contrast. */
const chequers = (contrast: number) => ({
  width: 2,
  height: 2,
  colors: [0, 1, 1, 0].flatMap((dark) => Array<number>(3).fill(dark ? (1 - contrast) / (1 + contrast) : 1)),
});

/**
 * Returns the mesh in one colour, or, if `departures.texture` is not 0, chequered with about the same mean colour:
 * squares half a `period` (m) wide along two oblique axes.
 */
export function paintMesh(
  mesh: TriangleMesh,
  color: readonly number[],
  departures: Departures,
  period: number,
): TriangleMesh {
  const { texture } = departures;
  const all = tintColour(color, departures).map((value) => value * (1 + texture));
  const colored: TriangleMesh = {
    ...mesh,
    colors: Float64Array.from({ length: mesh.triangles.length }, (_, k) => all[k % 3]),
    colorsOn: 'triangles',
  };
  if (texture === 0) return colored;
  const place = (corner: number): number[] => {
    const [x, y, z] = mesh.positions.subarray(3 * corner, 3 * corner + 3);
    return [(x + 0.5 * z) / period, (y + 0.3 * z) / period];
  };
  return { ...colored, textures: [chequers(texture)], uvs: [...mesh.triangles].flatMap(place) };
}

/**
 * Plugin that colours the particles of all surfaces: a gradient from one end to the other, so that motion within the
 * outline is visible, with random differences between particles if `departures.texture` is not 0. For scenes with
 * `colors: 'corner'`.
 */
export const paintedParticles = (color: readonly number[], departures: Departures): Plugin =>
  definePlugin({
    name: 'bench/painted-particles',
    contract: 1,
    amends: [Surfaces],
    build: ({ model }) => {
      const random = randomNumbers(1);
      const position = model.field(Particle.position).values!;
      const xs = Array.from({ length: position.length / 3 }, (_, k) => position[3 * k]);
      const [low, high] = [Math.min(...xs), Math.max(...xs)];
      const tint = tintColour(color, departures);
      const vertexColors = xs.flatMap((x) => {
        const own = 1 + (random() < 0.5 ? -1 : 1) * departures.texture;
        return tint.map((value) => value * own * (0.6 + (0.4 * (x - low)) / (high - low)));
      });
      model.amend(Surfaces, (surface) => ({ ...surface, vertexColors }));
    },
  });

/**
 * Returns a mesh changed by the departures `size` and `shape`; the latter makes it longer along y at constant volume.
 */
export function resizeMesh<M extends Mesh>(mesh: M, { size, shape }: Departures): M {
  const across = (1 + size) / Math.sqrt(1 + shape);
  const along = (1 + size) * (1 + shape);
  return { ...mesh, positions: mesh.positions.map((x, k) => x * (k % 3 === 1 ? along : across)) };
}
