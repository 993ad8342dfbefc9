import type { Plugin, Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import { cylinder, icosphere } from '@gradsim/mesh';
import { OrbitCamera, render } from '@gradsim/render';
import type { SceneRenderer } from './renderers.ts';

/** Orientation of a link's axes with y downwards, so that lengths are positive: a quaternion (x, y, z, w). */
export const DOWNWARD_ORIENTATION = [0, 0, 1, 0] as const;

export const ball = icosphere({ radius: 0.14, subdivisions: 2 });
/** Mesh of a rod that hangs from its joint at the origin, with y downwards. */
export function rod(length: number): ReturnType<typeof cylinder> {
  const mesh = cylinder({ radius: 0.03, height: length, segments: 12 });
  return { ...mesh, positions: mesh.positions.map((x, k) => (k % 3 === 1 ? x + length / 2 : x)) };
}

/** Options of the film of a pendulum. */
export interface View {
  readonly renderer: SceneRenderer;
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  /** Distance of the camera from `target`, m. */
  readonly distance: number;
  /** Point at which the camera looks, m; default the origin, where the pendulum's first joint is. */
  readonly target?: readonly [number, number, number];
}

/** Creates a scene with a horizontal camera and a renderer. */
export function filmedScene(plugins: readonly Plugin[], { renderer, size, distance, target = [0, 0, 0] }: View): Scene {
  const scene = createScene([
    ...plugins,
    render({ width: size, height: size }),
    renderer({ softness: (1 / size) ** 2, depthSoftness: 3e-3, near: 0.5, far: 20 }),
  ]);
  scene.add(OrbitCamera, { target, distance, elevation: 0, azimuth: 0, fieldOfView: 0.8 });
  return scene;
}
