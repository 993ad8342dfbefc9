import { conjugate, rotate, subtract, vectorAt } from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { poseOf } from '../at-rest/pose.ts';
import { Link } from '../link.ts';
import { Tie } from './tie.ts';

/** Options of {@link tiePoints}. */
export interface Fastening {
  readonly link: Entity;
  /** Particles to fasten, of springs, cloth or soft bodies. */
  readonly points: readonly Entity[];
  /** Initial positions of the particles in the world, x, y, z of each, m. */
  readonly positions: ArrayLike<number>;
  /** Stiffness, N/m, and damping, N s/m, of the tie of each particle. */
  readonly stiffness: number;
  readonly damping?: number;
}

/**
 * Fastens particles to a link at their initial positions, each by a tie of kind `anchor`, which needs the plugin
 * `ties()`. This hangs a soft body on a robot's hand, a spring on a lever, a flag on its pole.
 *
 * ```ts
 * const positions = particles.flatMap((particle) => [...scene.get(particle, Particle, 'position')]);
 * fasten(scene, { link: hand, points: particles, positions, stiffness: 1e4, damping: 5 });
 * ```
 * @returns the ties.
 * @throws when there are not three numbers in `positions` for each particle.
 */
export function tiePoints(scene: Scene, { link, points, positions, stiffness, damping = 0 }: Fastening): Entity[] {
  if (positions.length !== 3 * points.length)
    throw new GradsimError(
      'articulated/wrong-size',
      `fasten: there are ${positions.length} positions of ${points.length} points.`,
      { field: 'there', hint: 'Give x, y and z of each.' },
    );
  const pose = poseOf(scene, link);
  const centre = Array.from(scene.get(link, Link, 'centre'));
  const back = conjugate(pose.orientation);
  return points.map((body, k) => {
    const away = subtract(vectorAt(positions, k), pose.position);
    const otherPoint = subtract(rotate(back, away), centre);
    const label = `anchor of ${scene.describe(body)} on ${scene.describe(link)}`;
    return scene.add(Tie, { kind: 'anchor', body, other: link, otherPoint, stiffness, damping }, label);
  });
}
