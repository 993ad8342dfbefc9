import type { Entity, Scene } from '@gradsim/core';
import { hasAxis, turnsFreely } from './joint.ts';
import type { JointKind } from './link.ts';
import { Link } from './link.ts';
import { Tie } from './tie.ts';

/** What {@link fasten} takes. */
export interface Fastening {
  readonly link: Entity;
  /** Particles, of springs, cloth or soft bodies. */
  readonly points: readonly Entity[];
  /** Where they are in the world, x, y, z after x, y, z, m. */
  readonly positions: ArrayLike<number>;
  /** Of each point, N/m and N s/m. */
  readonly stiffness: number;
  readonly damping?: number;
}

/**
 * Fastens points to a link where they are when the run starts: an anchor each, which needs the plugin `ties()`. So a soft
 * body hangs on a robot's hand, a spring on a lever, a flag on its pole.
 *
 * ```ts
 * const positions = particles.flatMap((particle) => [...scene.get(particle, Particle, 'position')]);
 * fasten(scene, { link: hand, points: particles, positions, stiffness: 1e4, damping: 5 });
 * ```
 * @returns the ties.
 * @throws when there are not three positions a point.
 */
export function fasten(
  scene: Scene,
  { link, points, positions, stiffness, damping = 0 }: Fastening,
): Entity[] {
  if (positions.length !== 3 * points.length)
    throw new Error(
      `fasten: there are ${positions.length} positions of ${points.length} points; give x, y and z of each.`,
    );
  const pose = poseOf(scene, link);
  const centre = Array.from(scene.get(link, Link, 'centre'));
  const back = conjugate(pose.orientation);
  return points.map((body, k) => {
    const away = [0, 1, 2].map((i) => positions[3 * k + i] - pose.position[i]);
    const otherPoint = turn(back, away).map((x, i) => x - centre[i]);
    return scene.add(Tie, { kind: 'anchor', body, other: link, otherPoint, stiffness, damping });
  });
}

type Quaternion = readonly number[];
interface Pose {
  /** Of the joint. */
  readonly position: readonly number[];
  readonly orientation: Quaternion;
}

/** Where a link is, by the values that its scene has. */
function poseOf(scene: Scene, link: Entity): Pose {
  const values = (name: string): number[] => Array.from(scene.get(link, Link, name));
  const joint = scene.object(link, Link, 'joint') as JointKind;
  const parent = scene.object(link, Link, 'parent') as Entity | undefined;
  const around: Pose =
    parent === undefined ? { position: [0, 0, 0], orientation: [0, 0, 0, 1] } : poseOf(scene, parent);
  const atRest = times(around.orientation, unit(values('restOrientation')));
  let [position, orientation] = [
    plus(around.position, turn(around.orientation, values('anchor'))),
    atRest as Quaternion,
  ];
  if (joint === 'free') position = plus(position, turn(around.orientation, values('translation')));
  if (turnsFreely(joint)) orientation = times(atRest, unit(values('jointOrientation')));
  if (hasAxis(joint)) {
    const [axis, [coordinate]] = [unit(values('axis')), values('coordinate')];
    if (joint === 'prismatic')
      position = plus(
        position,
        turn(
          atRest,
          axis.map((a) => a * coordinate),
        ),
      );
    else {
      const sine = Math.sin(coordinate / 2);
      orientation = times(atRest, [...axis.map((a) => a * sine), Math.cos(coordinate / 2)]);
    }
  }
  return { position, orientation };
}

const plus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => x + b[k]);
const unit = (v: readonly number[]): number[] => v.map((x) => x / Math.hypot(...v));
const conjugate = ([x, y, z, w]: Quaternion): number[] => [-x, -y, -z, w];
const times = ([a, b, c, d]: Quaternion, [x, y, z, w]: Quaternion): number[] => [
  d * x + a * w + b * z - c * y,
  d * y - a * z + b * w + c * x,
  d * z + a * y - b * x + c * w,
  d * w - a * x - b * y - c * z,
];
const turn = (q: Quaternion, [x, y, z]: readonly number[]): number[] =>
  times(times(q, [x, y, z, 0]), conjugate(q)).slice(0, 3);
