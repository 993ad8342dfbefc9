import type { FieldRef, KernelFields, Model, ReadSpec, Surroundings, ValueType, Vec } from '@gradsim/core';
import { describeValue, GradsimError, kernel, refuseUnknownOptions } from '@gradsim/core';
import { coefficientOfStage, isOne, sumOfCoefficients } from './tableau.ts';

/**
 * Coefficients of a symplectic composition: positions drift by `drifts[0]` of a substep, velocities are kicked by
 * `kicks[0]` of it, positions drift by `drifts[1]`, and so on: one drift more than there are kicks.
 */
export interface Composition {
  readonly drifts: readonly number[];
  readonly kicks: readonly number[];
}

/** Leapfrog (position Verlet): half a drift, a kick, half a drift. Second order, one evaluation of forces. */
export const leapfrog: Composition = { drifts: [1 / 2, 1 / 2], kicks: [1] };

const CUBE_ROOT = Math.cbrt(2);
const [OUTER, INNER] = [1 / (2 - CUBE_ROOT), -CUBE_ROOT / (2 - CUBE_ROOT)];
/** Three leapfrogs of fourth order, the middle one backwards. Source: Forest and Ruth, 1990; Yoshida, 1990. */
export const forestRuth: Composition = {
  drifts: [OUTER / 2, (OUTER + INNER) / 2, (OUTER + INNER) / 2, OUTER / 2],
  kicks: [OUTER, INNER, OUTER],
};

type Vectors = FieldRef<ValueType<Vec>>;

export interface CompositionOptions<D extends string, V extends Vec, R> {
  /** Component, or domain, whose elements are moved. */
  readonly elements: D | { readonly domain: D };
  readonly composition: Composition;
  readonly position: FieldRef<ValueType<V>, D>;
  readonly velocity: FieldRef<ValueType<V>, D>;
  /** Fields that `acceleration` reads, such as the sum of forces and masses. */
  readonly reads: R;
  /** Returns the acceleration, m/s^2. A fixed element has none, and a velocity of 0. */
  readonly acceleration: (fields: KernelFields<R, object, D>, surroundings: Surroundings) => NoInfer<V>;
}
const OPTIONS = { elements: true, composition: true, position: true, velocity: true, reads: true, acceleration: true };

/**
 * Moves positions and velocities by a symplectic composition of drifts and kicks, with the forces of whatever plugins the
 * scene has: phase `force` runs once a kick. The energy of what moves without friction swings about its value and does
 * not drift, however long the run. Call it in a plugin's `build`.
 *
 * ```ts
 * symplectic(model, {
 *   elements: Stone,
 *   composition: forestRuth,
 *   position: Stone.position,
 *   velocity: Stone.velocity,
 *   reads: { force: Stone.force, mass: Stone.mass, gravity },
 *   acceleration: ({ force, mass, gravity }) => gravity.add(force.div(mass)),
 * });
 * ```
 *
 * Forces that depend on velocities, such as drag and damping, lower the order; stages see time and contact as those of
 * {@link rungeKutta} do, except that a composition of one kick has no stages: its forces stand for the substep, as those of the packages' own integrators.
 * @throws when drifts or kicks do not add up to 1, or another integrator has stages.
 */
export function symplectic<D extends string, V extends Vec, const R extends Readonly<Record<string, ReadSpec>>>(
  model: Model,
  options: CompositionOptions<D, V, R>,
): void {
  refuseUnknownOptions<CompositionOptions<D, V, R>>('symplectic', options, OPTIONS);
  const { elements, composition, position, velocity, reads, acceleration } = options;
  checkComposition(composition);
  const { drifts, kicks } = composition;
  model.addStages(kicks.length);
  // A kernel over any domain, whose types are those of vectors of the own element.
  const domain: string = typeof elements === 'string' ? elements : elements.domain;
  const own = { ownPosition: position as Vectors, ownVelocity: velocity as Vectors };
  const moving = (fields: object) => fields as { readonly ownPosition: Vec; readonly ownVelocity: Vec };
  model.addPass(
    'control',
    kernel('driftAtFirst', { domain, reads: own, writes: { ownPosition: own.ownPosition } }, (fields, { dt }) => {
      const { ownPosition, ownVelocity } = moving(fields);
      return { ownPosition: ownPosition.add(ownVelocity.mul(dt.mul(drifts[0]))) };
    }),
  );
  model.addPass(
    'stage',
    kernel('kickAndDrift', { domain, reads: { ...reads, ...own }, writes: own }, (fields, surroundings) => {
      const { round, dt } = surroundings;
      const { ownPosition, ownVelocity } = moving(fields);
      const rate = acceleration(fields as unknown as KernelFields<R, object, D>, surroundings) as Vec;
      const kicked = ownVelocity.add(rate.mul(dt.mul(coefficientOfStage(round, kicks))));
      return {
        ownPosition: ownPosition.add(kicked.mul(dt.mul(coefficientOfStage(round, drifts.slice(1))))),
        ownVelocity: kicked,
      };
    }),
  );
}

function checkComposition({ drifts, kicks }: Composition): void {
  if (kicks.length < 1 || drifts.length !== kicks.length + 1)
    throw new GradsimError(
      'dynamics/wrong-composition',
      `symplectic: the composition has ${drifts.length} drifts and ${kicks.length} kicks; it needs a kick, and one drift more than kicks.`,
      { field: 'composition' },
    );
  for (const [name, parts] of Object.entries({ drifts, kicks })) {
    const sum = sumOfCoefficients(parts);
    if (!isOne(sum))
      throw new GradsimError(
        'dynamics/wrong-composition',
        `symplectic: the ${name} ${describeValue(parts)} add up to ${sum}, not 1.`,
        { field: 'composition' },
      );
  }
}
