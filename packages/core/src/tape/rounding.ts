import type { Precision } from '@gradsim/kernel';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';

/** One rounding, relative to a value. */
const ROUNDING = { f32: 2 ** -23, f64: 2 ** -52 } as const;

/** What {@link moveByRounding} needs of a simulation. */
export interface MovableRun {
  readonly model: Model;
  readonly options: { readonly device: { readonly precision: Precision } };
  isSettable(key: string): boolean;
  set(key: string, values: ArrayLike<number>): void;
}

/**
 * Moves every value that the next run begins with by one rounding of the device, up or down at random. Such a move changes
 * nothing that anybody could mean: by how much a result follows it is how much of the result is rounding.
 *
 * ```ts
 * moveByRounding(simulation, Math.random);
 * simulation.forward();
 * const moved = await simulation.read('bodies.position');
 * ```
 * @param random numbers in [0, 1).
 * @param values what begins otherwise than the model says, by key, as `simulation.set` takes it: inputs over time are
 * moved only if they are here. It is set too, in all worlds alike where it is of one world.
 * @param precision whose rounding. Default: that of the device.
 * @throws when the simulation does not take a value.
 */
export function moveByRounding(
  simulation: MovableRun,
  random: () => number,
  values: Readonly<Record<string, ArrayLike<number>>> = {},
  precision: Precision = simulation.options.device.precision,
): void {
  const rounding = ROUNDING[precision];
  // Masks and the like stay what they must be, and a value's second part follows the first.
  const isMoved = ({ key, scalar, alarm, range, carryOf }: Field): boolean =>
    scalar === 'f32' && !alarm && typeof range !== 'object' && carryOf === undefined && simulation.isSettable(key);
  for (const field of simulation.model.fields.values()) {
    const { key, over, components, domain } = field;
    const given = values[key];
    const from = given ?? (over === undefined ? field.values : undefined);
    if (from === undefined || !isMoved(field)) continue;
    const count = given ? given.length : simulation.model.domain(domain).size * components;
    // A zero stays one: it is meant.
    const moved = Float64Array.from(
      { length: count },
      (_, k) => from[k % from.length] * (random() < 0.5 ? 1 - rounding : 1 + rounding),
    );
    simulation.set(key, moved);
  }
}
