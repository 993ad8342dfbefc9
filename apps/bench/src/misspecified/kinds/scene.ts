import type { Plugin, Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import type { Departures } from '../kind.ts';

/** Pixels across and down, whole tiles. */
export const SIZE = 40;
/** What is seen where nothing is. */
const BACKGROUND = [0.45, 0.5, 0.55] as const;
const FIELD_OF_VIEW = 0.7;
const LIGHT = { direction: [0.5, 1, 0.9], color: [0.7, 0.7, 0.7] } as const;

/** A camera that looks along -z at a point. */
interface View {
  readonly target: readonly [number, number, number];
  readonly distance: number;
}

/** A scene with a camera and a light. Colours of corners are interpolated where `colors` says so. */
export function filmedScene(
  plugins: readonly Plugin[],
  { target, distance }: View,
  { fieldOfView, light }: Departures,
  colors: 'face' | 'corner' = 'face',
): Scene {
  const scene = createScene([
    ...plugins,
    render({ width: SIZE, height: SIZE, colors }),
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
    azimuth: 0.2,
    fieldOfView: FIELD_OF_VIEW * (1 + fieldOfView),
  });
  scene.add(DirectionalLight, { direction: [cosine * x + sine * z, y, cosine * z - sine * x], color: LIGHT.color });
  return scene;
}

/** A colour as the departures have it. */
export const tinted = ([red, green, blue]: readonly number[], { color }: Departures): number[] => [
  red * (1 + color),
  green,
  blue * (1 - color / 2),
];

/** Two by two texels of a chequered texture of so much contrast, the brighter ones white. */
const chequers = (contrast: number) => ({
  width: 2,
  height: 2,
  colors: [0, 1, 1, 0].flatMap((dark) => Array<number>(3).fill(dark ? (1 - contrast) / (1 + contrast) : 1)),
});

/**
 * A mesh of one colour, and with a departure in texture chequered: the same in the mean, a square `period` metres wide, laid
 * on along two oblique axes.
 */
export function painted(
  mesh: TriangleMesh,
  color: readonly number[],
  departures: Departures,
  period: number,
): TriangleMesh {
  const { texture } = departures;
  const all = tinted(color, departures).map((value) => value * (1 + texture));
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

/** A mesh as departures in size and shape have it: longer along y, at the same volume. */
export function sized(mesh: TriangleMesh, { size, shape }: Departures): TriangleMesh {
  const across = (1 + size) / Math.sqrt(1 + shape);
  const along = (1 + size) * (1 + shape);
  return { ...mesh, positions: mesh.positions.map((x, k) => x * (k % 3 === 1 ? along : across)) };
}
