import { conjugate, dot, type Quaternion, rotate, rowsOf, transform, vectorAt } from '@gradsim/base';
import { judgeFrames, type RejectionReason } from '../judge.ts';
import { FILM } from '../picture.ts';
import type { Motion } from './motion.ts';
import { localVertices } from './motion.ts';
import { PUSH_SECONDS, type RigidScene, sceneMass } from './scene.ts';

/** Relative gain of energy above which a run counts as unstable. */
const ENERGY_TOLERANCE = 0.05;
/** Returns why a scene's motion is rejected, or null: it gains energy after the push, or fails {@link judgeFrames}. */
export function judge(scene: RigidScene, motion: Motion | null): RejectionReason | null {
  if (!motion || gainsEnergy(scene, motion)) return 'unstable';
  const local = localVertices(scene);
  const frames = Array.from({ length: FILM.frames }, (_, frame) => {
    const origin = vectorAt(motion.position, frame);
    const q = orientationAt(motion, frame);
    const positions = new Float64Array(local.length);
    for (let v = 0; v < local.length / 3; v++) {
      const turned = rotate(q, vectorAt(local, v));
      for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] = origin[axis] + turned[axis];
    }
    return positions;
  });
  return judgeFrames(frames, scene);
}

const orientationAt = ({ orientation: q }: Motion, frame: number): Quaternion => [
  q[4 * frame],
  q[4 * frame + 1],
  q[4 * frame + 2],
  q[4 * frame + 3],
];

/**
 * Returns whether the energy in some frame exceeds the largest one during the push: contact stores energy but adds
 * none. The tolerance is relative to the largest possible kinetic energy at the lowest position.
 */
function gainsEnergy(scene: RigidScene, motion: Motion): boolean {
  const { mass, inertia } = sceneMass(scene);
  const rows = rowsOf(inertia);
  const potential = Array.from({ length: FILM.frames }, (_, frame) => 9.81 * mass * motion.position[3 * frame + 1]);
  const energy = potential.map((height, frame) => {
    const v = vectorAt(motion.velocity, frame);
    const w = rotate(conjugate(orientationAt(motion, frame)), vectorAt(motion.angularVelocity, frame));
    return 0.5 * mass * dot(v, v) + 0.5 * dot(w, transform(rows, w)) + height;
  });
  const pushed = Math.ceil(PUSH_SECONDS * FILM.frameRate) + 1;
  const available = Math.max(...energy.slice(0, pushed + 1));
  const scale = available - Math.min(...potential);
  return energy.some((each) => each > available + ENERGY_TOLERANCE * scale);
}
