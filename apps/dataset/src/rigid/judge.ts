import { conjugate, dot, type Quaternion, rotate, rowsOf, transform, type Vector, vectorAt } from '@gradsim/numeric';
import type { Motion } from './motion.ts';
import { localVertices } from './motion.ts';
import { FILM, PUSH_SECONDS, type RigidScene, sceneMass } from './scene.ts';

/** Why a draw is drawn again. */
export const REASONS = ['tooStiff', 'unstable', 'sinks', 'outOfView', 'neverTouches'] as const;
/** One of {@link REASONS}. */
export type Reason = (typeof REASONS)[number];

/** Relative gain of energy above which a run counts as unstable. */
const ENERGY_TOLERANCE = 0.05;
/** Part of a body's largest extent that may be below the ground. */
const MOST_SUNK = 0.5;

/**
 * Returns why a scene's motion is not used, null where it is: it gains energy after the push, sinks by more than half of its largest extent,
 * has more than half of its vertices outside of the picture in more than half of the frames, or never reaches the ground.
 */
export function judge(scene: RigidScene, motion: Motion | null): Reason | null {
  if (!motion || gainsEnergy(scene, motion)) return 'unstable';
  const local = localVertices(scene);
  const view = viewOf(scene);
  let [lowest, framesOut] = [Number.POSITIVE_INFINITY, 0];
  for (let frame = 0; frame < FILM.frames; frame++) {
    const origin = vectorAt(motion.position, frame);
    const q = orientationAt(motion, frame);
    let outside = 0;
    for (let v = 0; v < local.length / 3; v++) {
      const [x, y, z] = rotate(q, vectorAt(local, v));
      const point: Vector = [origin[0] + x, origin[1] + y, origin[2] + z];
      lowest = Math.min(lowest, point[1]);
      if (!view(point)) outside++;
    }
    if (outside > local.length / 6) framesOut++;
  }
  if (-lowest > MOST_SUNK * extentOf(local)) return 'sinks';
  if (framesOut > FILM.frames / 2) return 'outOfView';
  return lowest < 0 ? null : 'neverTouches';
}

const orientationAt = ({ orientation: q }: Motion, frame: number): Quaternion => [
  q[4 * frame],
  q[4 * frame + 1],
  q[4 * frame + 2],
  q[4 * frame + 3],
];

function extentOf(local: Float64Array): number {
  const extents = [0, 1, 2].map((axis) => {
    const along = local.filter((_, k) => k % 3 === axis);
    return Math.max(...along) - Math.min(...along);
  });
  return Math.max(...extents);
}

/**
 * Returns whether a motion has more energy after the push than at its end: contact stores some of it and adds none. The tolerance is relative to
 * the largest kinetic energy that there could be at the lowest position.
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

/** Returns whether points are in the picture of a scene's camera. */
function viewOf({ camera }: RigidScene): (point: Vector) => boolean {
  const { target, distance, elevation, azimuth, fieldOfView } = camera;
  const [ce, se, ca, sa] = [Math.cos(elevation), Math.sin(elevation), Math.cos(azimuth), Math.sin(azimuth)];
  const [outward, up, right] = [
    [ce * sa, se, ce * ca],
    [-se * sa, ce, -se * ca],
    [ca, 0, -sa],
  ];
  const most = Math.tan(fieldOfView / 2);
  return (point) => {
    const from = point.map((x, k) => x - target[k]);
    const along = (axis: readonly number[]) => axis.reduce((sum, x, k) => sum + x * from[k], 0);
    const depth = distance - along(outward);
    return depth > 0 && Math.abs(along(up)) < most * depth && Math.abs(along(right)) < most * depth;
  };
}
