import type { Plugin, Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import { cylinder, icosphere } from '@gradsim/mesh';
import { OrbitCamera, render } from '@gradsim/render';
import type { SceneRenderer } from './renderers.ts';

/** The axes of a link of which y points down: lengths are then positive. */
export const DOWNWARDS = [0, 0, 1, 0] as const;

export const ball = icosphere({ radius: 0.14, subdivisions: 2 });
/** A rod that hangs from its joint, y down. */
export function rod(length: number): ReturnType<typeof cylinder> {
  const mesh = cylinder({ radius: 0.03, height: length, segments: 12 });
  return { ...mesh, positions: mesh.positions.map((x, k) => (k % 3 === 1 ? x + length / 2 : x)) };
}

/** View of a pendulum. */
export interface View {
  readonly renderer: SceneRenderer;
  /** Pixels across and down. */
  readonly size: number;
  /** Metres from what it looks at. */
  readonly distance: number;
  /** Default the joint that hangs on the world. */
  readonly target?: readonly [number, number, number];
}

/** A scene with a camera, level. */
export function filmedScene(plugins: readonly Plugin[], { renderer, size, distance, target = [0, 0, 0] }: View): Scene {
  const scene = createScene([
    ...plugins,
    render({ width: size, height: size }),
    renderer({ softness: (1 / size) ** 2, depthSoftness: 3e-3, near: 0.5, far: 20 }),
  ]);
  scene.add(OrbitCamera, { target, distance, elevation: 0, azimuth: 0, fieldOfView: 0.8 });
  return scene;
}
