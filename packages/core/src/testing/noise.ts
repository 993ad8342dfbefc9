import type { Device } from '@gradsim/kernel';
import { GradsimError } from '@gradsim/kernel';
import { freshSeed, randomFrom, randomValues } from '@gradsim/kernel/testing';
import type { Model } from '../model/model.ts';
import { gradientNoiseOf } from '../tape/gradient-noise.ts';
import type { RolloutOptions } from './gradients.ts';
import { createRollout, readOutputs, withKeys } from './gradients.ts';

export interface GradientNoiseOptions extends RolloutOptions {
  /** Whose rounding is measured. It stays the caller's to dispose. */
  readonly device: Device;
  /** Runs with inputs that are moved. Default 3. */
  readonly draws?: number;
}

/** What a gradient is made of by rounding alone. */
export interface GradientNoise {
  readonly seed: number;
  /** The largest of all parameters. */
  readonly noise: number;
  /**
   * By parameter: how far its gradient goes when every input is moved by one rounding up or down, relative to its largest
   * value.
   */
  readonly parameters: Readonly<Record<string, number>>;
}

/**
 * How much of a gradient is the rounding of its device: every value that the run starts from is moved by one rounding
 * (`moveByRounding`), and the gradient is computed again. One that follows is not to be used, or is to be computed in
 * doubles. It is that of the outputs with random weights, as in `checkDevices`.
 *
 * ```ts
 * import { gradientNoise } from '@gradsim/core/testing';
 *
 * const { noise } = await gradientNoise(buildModel(scene), { ...rollout, device: cpuDevice() });
 * if (noise > 1e-3) console.warn('Rounding has a part in this gradient: use the device f64.');
 * ```
 * @throws when there is no parameter or no output, or draws is no whole number of at least 1.
 */
export async function gradientNoise(model: Model, given: GradientNoiseOptions): Promise<GradientNoise> {
  const options = withKeys(model, given);
  const { device, draws = 3, seed = freshSeed(), parameters, outputs } = options;
  if (parameters.length === 0 || outputs.length === 0)
    throw new GradsimError('core/nothing-to-check', 'gradientNoise needs at least one parameter and one output.');
  if (!Number.isInteger(draws) || draws < 1)
    throw new GradsimError(
      'core/option-out-of-range',
      `gradientNoise: draws takes a whole number of at least 1, got ${draws}.`,
      { field: 'draws' },
    );
  const random = randomFrom(seed);
  const rollout = await createRollout(model, options, device, 'adjoint');
  try {
    const { simulation } = rollout;
    simulation.forward();
    const weights = new Map<string, Float64Array>();
    for (const [key, values] of await readOutputs(rollout)) weights.set(key, randomValues(random, values.length));
    const noise = await gradientNoiseOf(simulation, {
      given: { seeds: Object.fromEntries(weights), squares: null },
      draws,
      random,
      values: { ...options.values, ...Object.fromEntries(rollout.starts) },
    });
    return { seed, noise: Math.max(...Object.values(noise)), parameters: noise };
  } finally {
    rollout.simulation.dispose();
  }
}
