import type { Precision } from '@gradsim/kernel';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';

/** Relative rounding error of a value, for each precision. */
const ROUNDING = { f32: 2 ** -23, f64: 2 ** -52 } as const;

/** Values of all float fields with which the next run begins, by key, and a function that restores them bit for bit. */
export interface GivenInputs {
  readonly values: Readonly<Record<string, Float64Array>>;
  readonly restore: () => void;
}

/** Part of a simulation that {@link moveByRounding} uses. */
export interface MovableRun {
  readonly model: Model;
  readonly options: { readonly device: { readonly precision: Precision } };
  isSettable(key: string): boolean;
  set(key: string, values: ArrayLike<number>): void;
}

/**
 * Moves every initial value of the next run by one rounding error of the device, up or down at random. Such a change is
 * physically meaningless: the change of a result is its rounding noise.
 *
 * ```ts
 * moveByRounding(simulation, Math.random);
 * simulation.forward();
 * const moved = await simulation.read('bodies.position');
 * ```
 * @param random returns random numbers in [0, 1), which may depend on the value to move.
 * @param values initial values that differ from the model's, by key, as `simulation.set` takes them; they are set, and
 * moved as well. Inputs over time are moved only if they are given here. Values of one world go to all worlds.
 * @param precision precision whose rounding errors are used. Default: that of the device.
 * @param roundings number of rounding errors to move by. Default 1.
 * @throws when the simulation does not take a value.
 */
export function moveByRounding(
  simulation: MovableRun,
  random: (value: number) => number,
  values: Readonly<Record<string, ArrayLike<number>>> = {},
  precision: Precision = simulation.options.device.precision,
  roundings = 1,
): void {
  const rounding = roundings * ROUNDING[precision];
  // Masks and alarms stay valid, and a compensation field follows its value.
  const isMoved = ({ key, scalar, alarm, range, carryOf }: Field): boolean =>
    scalar === 'f32' && !alarm && typeof range !== 'object' && carryOf === undefined && simulation.isSettable(key);
  for (const field of simulation.model.fields.values()) {
    const { key, variesBy, components, domain } = field;
    const given = values[key];
    const from = given ?? (variesBy === undefined ? field.values : undefined);
    if (from === undefined || !isMoved(field)) continue;
    const count = given ? given.length : simulation.model.domain(domain).size * components;
    // A zero stays exactly zero: it is intentional.
    const moved = Float64Array.from({ length: count }, (_, k) => {
      const value = from[k % from.length];
      return value * (random(value) < 0.5 ? 1 - rounding : 1 + rounding);
    });
    simulation.set(key, moved);
  }
}
