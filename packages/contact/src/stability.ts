import type { BuildContext, Component, F32, Kernel, Model } from '@gradsim/core';
import { f32, field, fieldOn, forRange, kernel, max } from '@gradsim/core';
import type { BodiesThatTouch, PointsThatTouch } from '@gradsim/dynamics';
import { leastRateOf, memoise } from '@gradsim/dynamics';
import { withBounce } from './bounce.ts';
import { contactOf, HalfSpace, HalfSpaceMaterial } from './components.ts';
import { restingStiffnessRatio } from './grip.ts';
import type { MaterialFields } from './material.ts';
import { surfaceIn } from './material.ts';
import { hasContactByElement, touchesOf } from './touching.ts';

const ownStability = (points: PointsThatTouch) => {
  const { ke, kd, kf, mu } = contactOf(points.component);
  return { touches: touchesOf(points), ke, kd, kf, mu };
};
/**
 * Returns the damping of a contact for stability, N s/m: 3/2 times the larger of kd (along the normal) and kf (across
 * it), since up to 3/2 of either acts in the first substep of a contact. With kd and kf alone, a substep near the
 * stability bound could return twice the speed that it stops.
 */
const stabilityDamping = (kd: F32, kf: F32): F32 => max(kd, kf).mul(1.5);

/**
 * Adds a setup kernel that adds contact to the stiffness and damping around each point: that with the stiffest of
 * `count` surfaces, as if in contact. Bodies that carry surfaces are assumed to be much heavier than a point.
 */
export function addStiffness(
  model: Model,
  points: PointsThatTouch,
  surface: Pick<Component, 'domain'> & MaterialFields,
  count: number,
): void {
  const { component, around, mass } = points;
  if (!around) return;
  const isHalfSpace = surface.domain === HalfSpace.domain;
  const { restitution, duration } = contactOf(component);
  const reads = {
    ...ownStability(points),
    ...surfaceIn(surface),
    restitution,
    duration,
    ...(isHalfSpace ? { hasMaterial: fieldOn(HalfSpace.hasMaterial) } : {}),
    ...(isHalfSpace && mass ? { mass } : {}),
  };
  const stiffnessOfTouch = kernel(
    `stiffnessOfTouch_${component.domain}_${surface.domain}`,
    { domain: component, reads, adds: around },
    (c) => {
      // Friction that follows from the stiffness needs no shorter substeps.
      const { ke, kd, kf } = c.mass ? withBounce(c, { ...c, mass: c.mass }) : c;
      const none = { stiffness: f32(0), damping: f32(0) };
      const hardest = forRange(0, count, none, (k, most) => {
        // A half-space without a material of its own takes that of the point.
        const share: F32 = c.hasMaterial ? c.hasMaterial.at(k).mul(0.5) : f32(0.5);
        const mixed = (own: F32, surface: F32): F32 => own.add(surface.sub(own).mul(share));
        return {
          stiffness: max(most.stiffness, mixed(ke, c.surfaceKe.at(k))),
          damping: max(most.damping, stabilityDamping(mixed(kd, c.surfaceKd.at(k)), mixed(kf, c.surfaceKf.at(k)))),
        };
      });
      c.stiffness.add(hardest.stiffness.mul(c.touches));
      c.damping.add(hardest.damping.mul(c.touches));
    },
  );
  model.addPass('setup', stiffnessOfTouch);
}

/**
 * Adds a setup kernel that adds contact between surfaces to the stiffness and damping around each point: as if the
 * point touched a triangle of its own material, and another such point touched one of its triangles, each with a factor
 * of 2.
 */
export function addStiffnessOfSurfaces(model: Model, points: PointsThatTouch): void {
  const { component, around } = points;
  if (!around) return;
  const stiffnessOfSurfaceTouch = kernel(
    `stiffnessOfSurfaceTouch_${component.domain}`,
    { domain: component, reads: ownStability(points), adds: around },
    ({ touches, ke, kd, kf, stiffness, damping }) => {
      stiffness.add(ke.mul(touches).mul(4));
      damping.add(stabilityDamping(kd, kf).mul(touches).mul(4));
    },
  );
  model.addPass('setup', stiffnessOfSurfaceTouch);
}

/** Field for the stiffness ratio of a body that rests on its vertices, see {@link restingStiffnessRatio}; 0 without contact. */
const restingStiffnessRatioField = memoise(({ component }: BodiesThatTouch) => field(component.domain, 'grip', f32));
const leastRateIn = memoise(({ component }: BodiesThatTouch) =>
  field(component.domain, 'leastContactRate', f32, { unit: '1/s' }),
);

/**
 * Kernel that computes the minimum number of substeps per second at which a body resting on its vertices is stable: as
 * for a particle with w^2 = grip ke / m and c = grip 3/2 max(kd, kf) / m, with the body's own material, or its mean
 * with that of the hardest half-space. Friction matters only if kf is given.
 */
function leastRateOfBody(bodies: BodiesThatTouch, halfSpaces: number): Kernel {
  const { ke, kd, kf, mu, restitution, duration } = contactOf(bodies.component);
  return kernel(
    `leastContactRate_${bodies.component.domain}`,
    {
      domain: bodies.component,
      reads: {
        ke,
        kd,
        kf,
        mu,
        restitution,
        duration,
        mass: bodies.mass!,
        grip: restingStiffnessRatioField(bodies),
        ...surfaceIn(HalfSpaceMaterial),
        hasMaterial: fieldOn(HalfSpace.hasMaterial),
      },
      writes: { rate: leastRateIn(bodies) },
    },
    (c) => {
      const own = withBounce(c, c);
      const none = { stiffness: f32(0), damping: f32(0) };
      const hardest = forRange(0, halfSpaces, none, (k, most) => {
        const share = c.hasMaterial.at(k).mul(0.5);
        const mixed = (a: F32, b: F32): F32 => a.add(b.sub(a).mul(share));
        return {
          stiffness: max(most.stiffness, mixed(own.ke, c.surfaceKe.at(k))),
          damping: max(
            most.damping,
            stabilityDamping(mixed(own.kd, c.surfaceKd.at(k)), mixed(own.kf, c.surfaceKf.at(k))),
          ),
        };
      });
      const perMass = c.grip.div(c.mass);
      return { rate: leastRateOf(hardest.damping.mul(perMass), hardest.stiffness.mul(perMass)) };
    },
  );
}

/**
 * Lets bodies that rest on their vertices limit the largest stable substep, if their plugin offers mass and inertia.
 */
export function addBodyRates(context: BuildContext, bodies: BodiesThatTouch, halfSpaces: number): void {
  const { model, entities } = context;
  const { component, meshOf, gyrationOf, mass } = bodies;
  if (!meshOf || !gyrationOf || !mass || halfSpaces === 0) return;
  const touching = hasContactByElement(context, component);
  const grips = entities(component).map((body, k) => {
    const mesh = touching[k] ? meshOf(context, body) : undefined;
    return mesh ? restingStiffnessRatio({ ...mesh, gyration: gyrationOf(context, body) }) : 0;
  });
  model.addField(restingStiffnessRatioField(bodies), { values: grips, shared: true });
  model.addField(leastRateIn(bodies));
  model.addPass('setup', leastRateOfBody(bodies, halfSpaces));
  model.addStepLimit(leastRateIn(bodies));
}
