import type { BuildContext, Mat33, Vec3 } from '@gradsim/core';
import {
  addCompensated,
  cross,
  f32,
  field,
  GradsimError,
  identity,
  kernel,
  normalize,
  rotate,
  rotateInverse,
} from '@gradsim/core';
import { kickDuration, memoise, rotationChange, rotationStep, spinFreely } from '@gradsim/dynamics';
import { Link } from '../link.ts';
import { ballStates, freeStates } from '../move.ts';
import type { TreeLink } from '../ranks.ts';
import { lockedSubtree } from '../sweeps/lump.ts';

/** 1 for links on free joints, whose spin is implicit, else 0. */
const isSpun = field('links', 'isSpun', f32);

/**
 * Moves ball and free joints, with the gyroscopic term of free joints by the implicit midpoint rule. What hangs on a free joint
 * counts as one body, its joints locked: the acceleration less that of its free rotation changes velocities first; then
 * it rotates freely about its centre of mass ({@link spinFreely}), the link's origin around it.
 */
const moveFreeImplicitly = memoise(() =>
  kernel(
    'moveFreeImplicitly',
    {
      domain: Link,
      reads: {
        ...ballStates,
        ...freeStates,
        ...lockedSubtree,
        isSpun,
        restOrientation: Link.restOrientation,
        angularAcceleration: Link.angularAcceleration,
        linearAcceleration: Link.linearAcceleration,
      },
      writes: { ...ballStates, ...freeStates },
    },
    (l, moment) => {
      const { dt } = moment;
      const kick = kickDuration(moment);
      const [w, q, c] = [l.angularVelocity, l.jointOrientation, l.centre];
      // A ball joint turns steadily in a substep, as a sphere does.
      const sphere = (identity(3) as Mat33).mul(f32(1).sub(l.isSpun));
      const [inertia, inverseInertia] = [l.gyration.add(sphere), l.inverseGyration.add(sphere)];
      const kicked = l.angularAcceleration.add(inverseInertia.mul(cross(w, inertia.mul(w)))).mul(kick);
      const { halfRotation: half, change } = spinFreely(w.add(kicked), inertia, inverseInertia, dt);
      const gained = kicked.add(change);
      const nextSpin = w.add(gained);

      const rest = normalize(l.restOrientation);
      const toParent = (v: Vec3): Vec3 => rotate(rest, rotate(q, v));
      const own = rotateInverse(q, rotateInverse(rest, l.linearAcceleration));
      const swing = cross(w, c);
      const kickOfCentre = own.add(cross(l.angularAcceleration, c)).add(cross(w, swing)).mul(kick);
      // With C the rotation of the substep, the origin moves at C (w' x c) - w x c less than the centre, and to C c - c from it.
      const swung = cross(gained, c).add(rotationChange(half, cross(nextSpin, c)));
      const speedOfCentre = l.velocity.add(toParent(swing.add(kickOfCentre)));
      const moved = speedOfCentre.mul(dt).sub(toParent(rotationChange(half, c)));

      const spin = addCompensated(w, l.angularVelocityCarry, gained);
      const turned = addCompensated(q, l.orientationCarry, rotationStep(q, rotate(q, half), f32(2)));
      const velocity = addCompensated(l.velocity, l.velocityCarry, toParent(kickOfCentre.sub(swung)));
      const translation = addCompensated(l.translation, l.translationCarry, moved);
      return {
        angularVelocity: spin.sum,
        angularVelocityCarry: spin.compensation,
        jointOrientation: turned.sum,
        orientationCarry: turned.compensation,
        velocity: velocity.sum,
        velocityCarry: velocity.compensation,
        translation: translation.sum,
        translationCarry: translation.compensation,
      };
    },
  ),
);

/**
 * Adds the pass that moves ball and free joints with an implicit spin; that of {@link lockedSubtree} is the caller's.
 * @throws for a free joint that hangs on another link: its angular velocity is relative to that one.
 */
export function addImplicitSpin({ scene, model, entities }: BuildContext, trees: readonly TreeLink[]): void {
  const hung = trees.findIndex(({ joint, parent }) => joint === 'free' && parent >= 0);
  if (hung >= 0)
    throw new GradsimError(
      'articulated/implicit-spin-on-a-link',
      'is on a free joint that hangs on another link, and implicitSpin is for free joints on the world.',
      {
        field: 'links.parent',
        element: scene.describe(entities(Link)[hung]),
        hint: 'A free link is not held by its parent: leave out `parent`, and give its place in the world.',
      },
    );
  model.addField(isSpun, { values: trees.map(({ joint }) => (joint === 'free' ? 1 : 0)), shared: true });
  for (const field of Object.values(lockedSubtree)) model.addAccumulator(field);
  model.addPass('integrate', moveFreeImplicitly());
}
