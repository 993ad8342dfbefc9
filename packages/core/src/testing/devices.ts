import type { Device } from '@gradsim/kernel';
import { f64Device } from '@gradsim/kernel';
import type { Finding } from '@gradsim/kernel/testing';
import { freshSeed, randomNumbers, randomValues, refuseFailures } from '@gradsim/kernel/testing';
import type { Model } from '../model/model.ts';
import { gradientNoiseOf, largestDifference } from '../tape/gradient/noise.ts';
import type { KeyedRollout, RolloutOptions } from './rollout.ts';
import { createRollout, magnitude, readOutputs, refuseUnknownIn, withKeys } from './rollout.ts';

/** Largest errors that a comparison of devices accepts. */
export interface DeviceTolerances {
  /**
   * Largest accepted error of an output, relative to its largest magnitude. Default 1e-4; a sum that cancels, such as the
   * energy near a rest, needs more on a device of single precision.
   */
  readonly stateTolerance?: number;
  /**
   * Largest accepted error of a gradient, relative to its largest magnitude with any of several random weights of the
   * outputs, since a single one may happen to cancel it. Default 1e-3.
   */
  readonly gradientTolerance?: number;
}

export interface DeviceCheckOptions extends RolloutOptions, DeviceTolerances {
  /** Devices that are compared with double precision. The caller keeps ownership and has to dispose of them. */
  readonly devices: readonly Device[];
}

export interface DeviceCheck {
  readonly seed: number;
  readonly devices: readonly {
    readonly device: string;
    /** Error of each output, by key, relative to its largest magnitude. */
    readonly stateErrors: Readonly<Record<string, number>>;
    /** Error of the gradient of each parameter, by key, relative to its largest magnitude. */
    readonly gradientErrors: Readonly<Record<string, number>>;
  }[];
}

/**
 * Runs a model over its full length on every device and in double precision, forward and backward with the same random
 * weights of the outputs, and compares all outputs and gradients.
 *
 * ```ts
 * await checkDevices(buildModel(scene), { ...rollout, devices: [cpu, webgpu] });
 * ```
 * @throws when an error exceeds its tolerance; the message lists all comparisons.
 */
export async function checkDevices(model: Model, givenOptions: DeviceCheckOptions): Promise<DeviceCheck> {
  refuseUnknownIn('checkDevices', givenOptions, { devices: true, stateTolerance: true, gradientTolerance: true });
  const options = withKeys(model, givenOptions);
  const { devices, seed = freshSeed(), stateTolerance = 1e-4, gradientTolerance = 1e-3 } = options;
  const exact = await runOn(model, options, f64Device(), seed, WEIGHT_DRAWS);
  const findings: Finding[] = [];
  const results: DeviceCheck['devices'][number][] = [];
  for (const device of devices) {
    const found = await runOn(model, options, device, seed);
    const compare = (kind: 'outputs' | 'gradients', tolerance: number): Record<string, number> => {
      const errors: Record<string, number> = {};
      for (const [key, values] of found[kind]) {
        const size = kind === 'gradients' ? Math.max(exact.sizes.get(key)!, exact.faint.get(key)!) : 0;
        errors[key] = largestDifference(values, exact[kind].get(key)!, size);
        findings.push({
          comparison: `${device.kind}: ${kind === 'outputs' ? '' : 'gradient of '}${key}`,
          error: errors[key],
          tolerance,
        });
      }
      return errors;
    };
    results.push({
      device: device.kind,
      stateErrors: compare('outputs', stateTolerance),
      gradientErrors: compare('gradients', gradientTolerance),
    });
  }
  const off = [...exact.gradients.keys()].flatMap((key): GradientError[] => {
    const error = Math.max(...results.map(({ gradientErrors }) => gradientErrors[key] ?? 0));
    return error > gradientTolerance ? [{ key, error }] : [];
  });
  refuseFailures(
    `devices against double precision, ${options.frames} frames of ${options.substeps} substeps (seed ${seed})`,
    findings,
    off.length > 0 ? await roundingOf(model, options, off, seed) : undefined,
  );
  return { seed, devices: results };
}

interface GradientError {
  readonly key: string;
  readonly error: number;
}

/**
 * Returns a sentence about gradients that rounding alone explains, in doubles: where the motion amplifies it, or passes
 * a kink closely.
 */
async function roundingOf(
  model: Model,
  options: KeyedRollout,
  off: readonly GradientError[],
  seed: number,
): Promise<string | undefined> {
  const random = randomNumbers(seed);
  const rollout = await createRollout(model, options, f64Device(), 'adjoint');
  try {
    rollout.simulation.forward();
    const outputs = await readOutputs(rollout);
    const seeds = Object.fromEntries([...outputs].map(([key, values]) => [key, randomValues(random, values.length)]));
    const noise = await gradientNoiseOf(rollout.simulation, {
      seeds: { seeds, squares: null },
      values: { ...options.values, ...Object.fromEntries(rollout.starts) },
      draws: WEIGHT_DRAWS,
      random,
      precision: 'f32',
    });
    const told = off.filter(({ key, error }) => noise[key] > error / MAX_EXPLAINED_RATIO);
    if (told.length === 0) return undefined;
    const listed = told.map(({ key }) => `${noise[key].toExponential(1)} of that by ${key}`).join(', ');
    return (
      `In doubles, gradients change as well when initial values move by one rounding error of single precision: ${listed}. ` +
      'Rounding decides about them, not the device: the motion amplifies it, or comes close to a kink. Compute such gradients in doubles; check fewer frames, or allow more by `gradientTolerance`.'
    );
  } finally {
    rollout.simulation.dispose();
  }
}

/** Error of a gradient over its change by one rounding error of the initial values up to which rounding explains it. */
const MAX_EXPLAINED_RATIO = 20;

/**
 * Number of draws of random weights of the outputs from which the size of a gradient is taken. All of them cancel to 1
 * % in one of 10^6 runs.
 */
const WEIGHT_DRAWS = 3;

/**
 * A derivative that is this part of the outputs, or of the largest derivative, is lost in their rounding in single
 * precision, at the usual tolerance.
 */
const MIN_DERIVATIVE_SHARE = 1e-4;

/**
 * Runs a model and returns its outputs, the gradients for random weights of them, the largest magnitude of each over all
 * draws, and the one below which it is lost in rounding.
 */
async function runOn(model: Model, options: KeyedRollout, device: Device, seed: number, draws = 1) {
  const random = randomNumbers(seed);
  const rollout = await createRollout(model, options, device, 'adjoint');
  const { simulation } = rollout;
  try {
    simulation.forward();
    const outputs = await readOutputs(rollout);
    const gradients = new Map<string, Float64Array>();
    const sizes = new Map<string, number>();
    for (let draw = 0; draw < draws; draw++) {
      simulation.backward(
        Object.fromEntries([...outputs].map(([key, values]) => [key, randomValues(random, values.length)])),
      );
      for (const key of options.parameters) {
        const gradient = await simulation.gradient(key);
        if (draw === 0) gradients.set(key, gradient);
        const size = gradient.reduce((most, x) => Math.max(most, Math.abs(x)), sizes.get(key) ?? 0);
        sizes.set(key, size);
      }
    }
    const scale = (key: string): number => magnitude(rollout.starts.get(key)!) || 1;
    const largest = Math.max(
      ...[...outputs.values()].map(magnitude),
      ...[...sizes].map(([key, size]) => size * scale(key)),
    );
    const faint = new Map([...sizes.keys()].map((key) => [key, (MIN_DERIVATIVE_SHARE * largest) / scale(key)]));
    return { outputs, gradients, sizes, faint };
  } finally {
    simulation.dispose();
  }
}
