import { describeValue, GradsimError } from '@gradsim/base';
import type { Device } from '@gradsim/kernel';
import { freshSeed, randomNumbers, randomValues } from '@gradsim/kernel/testing';
import type { Model } from '../model/model.ts';
import { gradientNoiseOf } from '../tape/gradient/noise.ts';
import type { RolloutOptions } from './rollout.ts';
import { createRollout, readOutputs, refuseUnknownIn, withKeys } from './rollout.ts';

export interface GradientNoiseOptions extends RolloutOptions {
  /** Device whose rounding is measured. The caller keeps ownership and has to dispose of it. */
  readonly device: Device;
  /** Number of runs with perturbed inputs. Default 3. */
  readonly draws?: number;
}

/** Rounding noise of a gradient. */
export interface GradientNoise {
  readonly seed: number;
  /** Largest noise of all parameters. */
  readonly noise: number;
  /**
   * Per parameter: largest change of its gradient when every input moves up or down by one rounding error, relative to
   * the gradient's largest component.
   */
  readonly parameters: Readonly<Record<string, number>>;
}

/**
 * Measures how much of a gradient is rounding noise of its device: every initial value is moved by one rounding error
 * (`moveByRounding`), and the gradient is computed again. A gradient that changes much should not be used, or should be
 * computed in double precision. The loss is the outputs with random weights, as in `checkDevices`.
 *
 * ```ts
 * import { gradientNoise } from '@gradsim/core/testing';
 *
 * const { noise } = await gradientNoise(buildModel(scene), { ...rollout, device: cpuDevice() });
 * if (noise > 1e-3) console.warn('Rounding has a part in this gradient: use the device f64.');
 * ```
 * @throws when there is no parameter or no output, or `draws` is not a whole number of at least 1.
 */
export async function gradientNoise(model: Model, givenOptions: GradientNoiseOptions): Promise<GradientNoise> {
  refuseUnknownIn('gradientNoise', givenOptions, { device: true, draws: true });
  const options = withKeys(model, givenOptions);
  const { device, draws = 3, seed = freshSeed(), parameters, outputs } = options;
  if (parameters.length === 0 || outputs.length === 0)
    throw new GradsimError('core/nothing-to-check', 'gradientNoise needs at least one parameter and one output.');
  if (!Number.isInteger(draws) || draws < 1)
    throw new GradsimError(
      'core/option-out-of-range',
      `gradientNoise: draws takes a whole number of at least 1, got ${describeValue(draws)}.`,
      { field: 'draws' },
    );
  const random = randomNumbers(seed);
  const rollout = await createRollout(model, options, device, 'adjoint');
  try {
    const { simulation } = rollout;
    simulation.forward();
    const weights = new Map<string, Float64Array>();
    for (const [key, values] of await readOutputs(rollout)) weights.set(key, randomValues(random, values.length));
    const noise = await gradientNoiseOf(simulation, {
      seeds: { seeds: Object.fromEntries(weights), squares: null },
      draws,
      random,
      values: { ...options.values, ...Object.fromEntries(rollout.starts) },
    });
    return { seed, noise: Math.max(...Object.values(noise)), parameters: noise };
  } finally {
    rollout.simulation.dispose();
  }
}
