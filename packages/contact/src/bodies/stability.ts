import type { BuildContext, F32, Kernel } from '@gradsim/core';
import { f32, field, forRange, kernel, max } from '@gradsim/core';
import type { BodiesThatTouch } from '@gradsim/dynamics';
import { leastRateOf, BodiesThatTouch as Offers } from '@gradsim/dynamics';
import { readsOnElements } from '../fields.ts';
import { restingStiffnessRatio } from '../grip.ts';
import { materialIn, materialOf } from '../material.ts';
import { SHAPES } from '../shapes/list.ts';
import type { Shape } from '../shapes/shape.ts';
import { shapesOfBodies } from './place.ts';
import type { TouchingShape } from './shapes.ts';

/**
 * Factor on the contact stiffness of a body that rests with its corners on a static surface, for a body between other
 * bodies: corners of both bodies touch, the other body moves too, and there may be bodies on two sides.
 */
const BETWEEN_OTHERS = 8;

const leastRateField = (sized: Shape, bodies: BodiesThatTouch) => {
  const { domain } = shapesOfBodies(sized, bodies);
  return { grip: field(domain, 'grip', f32), rate: field(domain, 'leastContactRate', f32, { unit: '1/s' }) };
};

/**
 * Kernel over shapes of a component: minimum number of substeps per second at which contact between bodies is stable.
 */
function leastRateOfShapes(
  sized: Shape,
  bodies: BodiesThatTouch,
  count: number,
  { grip, rate }: ReturnType<typeof leastRateField>,
): Kernel {
  const { domain, indices } = shapesOfBodies(sized, bodies);
  return kernel(
    `leastRate_${domain}`,
    {
      domain,
      reads: { ...indices, ...materialIn(sized.component), grip, ...readsOnElements({ mass: bodies.mass! }) },
      writes: { rate },
    },
    (c) => {
      // Materials combine by means: none is harder than the hardest.
      const none = { stiffness: f32(0), damping: f32(0) };
      const hardest = forRange(0, count, none, (k, most) => {
        const { ke, kd, kf } = materialOf(c, k);
        return { stiffness: max(most.stiffness, ke), damping: max(most.damping, max(kd.mul(1.5), kf)) };
      });
      const perMass: F32 = c.grip.div(c.mass.at(c.body));
      return { rate: leastRateOf(hardest.damping.mul(perMass), hardest.stiffness.mul(perMass)) };
    },
  );
}

/** Lets contact between bodies limit the largest stable substep, for bodies whose plugin offers mass and inertia. */
export function addSolidRates(context: BuildContext, shapes: readonly TouchingShape[]): void {
  const { model, entities } = context;
  for (const sized of SHAPES)
    for (const bodies of model.offered(Offers)) {
      const own = shapes.filter(({ shape, owner }) => shape === sized && owner?.bodies === bodies);
      if (own.length === 0 || !bodies.gyrationOf || !bodies.mass) continue;
      const rates = leastRateField(sized, bodies);
      const grips = own.map((shape) => {
        const body = entities(bodies.component)[shape.owner!.number];
        return BETWEEN_OTHERS * shapeStiffnessRatio(context, shape, bodies.gyrationOf!(context, body));
      });
      model.addField(rates.grip, { values: grips, shared: true });
      model.addField(rates.rate);
      model.addPass('setup', leastRateOfShapes(sized, bodies, entities(sized.component).length, rates));
      model.addStepLimit(rates.rate);
    }
}

/** Returns the stiffness ratio of a body that touches with this shape only, dimensionless: see `restingStiffnessRatio`. */
function shapeStiffnessRatio(context: BuildContext, shape: TouchingShape, gyration: ArrayLike<number>): number {
  const place = context.scene.get(shape.entity, shape.shape.component, 'position');
  const { positions, triangles } = shape.mesh ?? { positions: frictionPoints(shape), triangles: [] };
  const placed = Array.from(positions, (x, k) => x + place[k % 3]);
  return restingStiffnessRatio({ positions: placed, triangles, gyration });
}

/**
 * Returns the points of a ball or a capsule at which friction exerts a torque: its ends, as x, y, z one after another,
 * m.
 */
function frictionPoints({ half, radius }: TouchingShape): Float64Array {
  const end = half[1] + radius;
  return Float64Array.from([0, end, 0, 0, -end, 0]);
}
