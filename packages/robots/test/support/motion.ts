import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';

/** Creates a scene with gravity along -z, 9.81 m/s^2, as robot files expect. */
export function upright(): Scene {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0, 0, -9.81] });
  return scene;
}

/** Runs a scene and returns the positions of its links, flat in the order [frame][link][x, y, z], m. */
export async function positions(scene: Scene, { frames = 11, frameRate = 20, substeps = 50 } = {}): Promise<number[]> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate,
    substeps,
    record: [Link.position],
  });
  simulation.forward();
  const read = Array.from(await simulation.readFrames(Link.position));
  simulation.dispose();
  return read;
}

export const furthest = (a: readonly number[], b: readonly number[]): number =>
  a.length === b.length ? Math.max(...a.map((x, k) => Math.abs(x - b[k]))) : Number.POSITIVE_INFINITY;
