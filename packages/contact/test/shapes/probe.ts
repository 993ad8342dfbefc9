import { contact, contactOf } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Gravity, Particle, particles } from '@gradsim/particles';

export type Point = readonly number[];
export interface Found {
  readonly distance: number;
  readonly normal: Point;
}

/**
 * Measures signed distances (m) and normals of a shape, created by `add`, at points nearer than `thickness` (m).
 * Particles of 1 kg at these points touch the shape with stiffness 1 N/m for one substep of 1 s, after which their
 * velocity is (thickness - distance) times the normal.
 */
export async function probe(
  add: (scene: Scene) => void,
  points: readonly Point[],
  thickness: number,
): Promise<Found[]> {
  const scene = createScene([particles(), contact()]);
  for (const position of points) {
    const particle = scene.add(Particle, { position, mass: 1 });
    scene.attach(particle, contactOf(Particle), { ke: 1, thickness });
  }
  add(scene);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1,
    substeps: 1,
  });
  simulation.forward();
  const v = await simulation.read('particles.velocity');
  simulation.dispose();
  return points.map((_, k) => {
    const depth = Math.hypot(v[3 * k], v[3 * k + 1], v[3 * k + 2]);
    return { distance: thickness - depth, normal: [0, 1, 2].map((axis) => v[3 * k + axis] / depth) };
  });
}

/** Rotates v by the unit quaternion q, or by its inverse if `back`. */
export function turn(q: Point, v: Point, back = false): number[] {
  const r = q.slice(0, 3).map((c) => (back ? -c : c));
  const cross = (a: Point, b: Point): number[] =>
    [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
  const t = cross(r, v).map((c) => 2 * c);
  const u = cross(r, t);
  return v.map((c, k) => c + q[3] * t[k] + u[k]);
}
