import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import type { Pose, Poses } from '@gradsim/recordings/poses';
import { Body, rigid } from '@gradsim/rigid';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

/** Seed of the random numbers. */
export const SEED = 20;

export const SIZE = [0.1, 0.06, 0.16] as const;
/** Initial state of the brick: position, m, orientation, velocity, m/s, and angular velocity, rad/s. */
type Start = Readonly<Record<'position' | 'orientation' | 'velocity' | 'angularVelocity', readonly number[]>>;

export const START: Start = {
  position: [0.1, 0.4, -0.2],
  orientation: [0.1, 0.5, -0.3, 0.8],
  velocity: [0.8, 0.3, -0.5],
  angularVelocity: [3, -2, 5],
};
export const MATERIAL = { restitution: 0.4, duration: 0.02, mu: 0.25 };

/** Builds a model of a brick that may touch the ground, from its initial state. */
export function brick(start: Start, material: typeof MATERIAL = MATERIAL): Model {
  const scene = createScene([rigid(), contact()]);
  const body = scene.add(Body, { mesh: box({ size: [...SIZE] }), mass: 0.5, ...start });
  scene.attach(body, contactOf(Body), material);
  scene.add(HalfSpace, {});
  return buildModel(scene);
}

/** Simulates a brick that is tossed and lands, and returns its poses. */
export async function tossed(frames: number, start = START, frameRate = 100): Promise<Poses> {
  const simulation = await createSimulation(brick(start), {
    device: cpuDevice({ threads: 1 }),
    frames,
    frameRate,
    substeps: 4000 / frameRate,
    record: ['bodies.position', 'bodies.orientation'],
  });
  simulation.forward();
  const [p, q] = [await simulation.readFrames('bodies.position'), await simulation.readFrames('bodies.orientation')];
  simulation.dispose();
  const poses = Array.from(
    { length: frames },
    (_, f): Pose => ({
      position: [...p.subarray(3 * f, 3 * f + 3)],
      // Trackers give either sign.
      orientation: [...q.subarray(4 * f, 4 * f + 4)].map((c) => (f % 3 === 0 ? -c : c)),
    }),
  );
  return { name: 'toss', frameRate, poses };
}

const random = randomNumbers(SEED);
export function noisy(recording: Poses, noise: number): Poses {
  const normal = (): number => noise * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const poses = recording.poses.map(
    (pose) =>
      pose && {
        position: pose.position.map((c) => c + normal()),
        orientation: pose.orientation.map((c) => c + normal()),
      },
  );
  return { ...recording, poses };
}
/** Moments of inertia about the brick's own axes, kg m^2: m / 12 (b^2 + c^2). */
export const INERTIA = [SIZE[1] ** 2 + SIZE[2] ** 2, SIZE[0] ** 2 + SIZE[2] ** 2, SIZE[0] ** 2 + SIZE[1] ** 2];
