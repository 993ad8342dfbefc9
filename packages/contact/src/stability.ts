import type { Component, F32, Model } from '@gradsim/core';
import { f32, forRange, kernel, max, on } from '@gradsim/core';
import type { PointsThatTouch } from '@gradsim/physics';
import { contactOf, HalfSpace } from './components.ts';
import type { MaterialFields } from './material.ts';
import { surfaceIn } from './material.ts';
import { touchesOf } from './touching.ts';

const own = (points: PointsThatTouch) => {
  const { ke, kd, kf } = contactOf(points.component);
  return { touches: touchesOf(points), ke, kd, kf };
};

/**
 * The damping in touch: of kd along the normal up to 3/2 counts in the first substep of a touch, across it at most kf.
 * With kd alone a substep near the bound could throw back twice as fast what it stops.
 */
const dampingOf = (kd: F32, kf: F32): F32 => max(kd.mul(1.5), kf);

/**
 * What contact adds to the stiffness and damping around a point: that of the hardest of `count` surfaces, as if it was
 * touched. Bodies that surfaces move with are taken to be much heavier than a point.
 */
export function addStiffness(
  model: Model,
  points: PointsThatTouch,
  surface: Pick<Component, 'domain'> & MaterialFields,
  count: number,
): void {
  const { component, around } = points;
  if (!around) return;
  const isHalfSpace = surface.domain === HalfSpace.domain;
  const reads = { ...own(points), ...surfaceIn(surface) };
  const stiffnessOfTouch = kernel(
    `stiffnessOfTouch_${component.domain}_${surface.domain}`,
    {
      domain: component,
      reads: { ...reads, ...(isHalfSpace ? { hasMaterial: on(HalfSpace.hasMaterial) } : {}) },
      adds: around,
    },
    ({ touches, ke, kd, kf, surfaceKe, surfaceKd, surfaceKf, stiffness, damping, ...rest }) => {
      const none = { stiffness: f32(0), damping: f32(0) };
      const hardest = forRange(0, count, none, (k, most) => {
        // A half-space without a material of its own takes that of the point.
        const share: F32 = rest.hasMaterial ? rest.hasMaterial.at(k).mul(0.5) : f32(0.5);
        const mixed = (own: F32, surface: F32): F32 => own.add(surface.sub(own).mul(share));
        return {
          stiffness: max(most.stiffness, mixed(ke, surfaceKe.at(k))),
          damping: max(most.damping, dampingOf(mixed(kd, surfaceKd.at(k)), mixed(kf, surfaceKf.at(k)))),
        };
      });
      stiffness.add(hardest.stiffness.mul(touches));
      damping.add(hardest.damping.mul(touches));
    },
  );
  model.addPass('setup', stiffnessOfTouch);
}

/**
 * What contact of surfaces with each other adds: as if the point touched a triangle of its own material, and one of its
 * triangles was touched, two blocks each.
 */
export function addStiffnessOfSurfaces(model: Model, points: PointsThatTouch): void {
  const { component, around } = points;
  if (!around) return;
  const stiffnessOfSurfaceTouch = kernel(
    `stiffnessOfSurfaceTouch_${component.domain}`,
    { domain: component, reads: own(points), adds: around },
    ({ touches, ke, kd, kf, stiffness, damping }) => {
      stiffness.add(ke.mul(touches).mul(4));
      damping.add(dampingOf(kd, kf).mul(touches).mul(4));
    },
  );
  model.addPass('setup', stiffnessOfSurfaceTouch);
}
