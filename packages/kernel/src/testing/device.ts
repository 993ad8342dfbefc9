import type { Device } from '../devices/device.ts';
import type { Kernel } from '../language/kernel.ts';
import type { ProgramOptions } from '../program/plan.ts';
import { compile } from '../program/program.ts';
import { evaluatorDevice } from './evaluator.ts';
import { EXECUTOR_TRIALS } from './executors.ts';
import { primitiveTrials } from './primitives.ts';
import { programTrials } from './programs.ts';
import { randomNumbers, randomValues } from './random.ts';
import type { Finding } from './report.ts';
import { refuseFailures } from './report.ts';
import type { FieldValues } from './trial.ts';

export interface DeviceConformanceOptions {
  /** Seed of the inputs. Default 1: the same numbers every time. */
  readonly seed?: number;
  /**
   * Maximum error of floats, relative to the largest value of a field. Default 1e-5, and 1e-12 on a device of doubles.
   */
  readonly tolerance?: number;
}

/** Number of elements that primitives are tested on: whole groups of lanes plus some more. */
const TEST_ELEMENTS = 103;

/**
 * Tests everything that a device must do: every primitive, reads and additions at indices, loops, sums, worlds, both
 * derivatives, registers, the order of writes, runs and reads, refusals. Results are compared with those of {@link
 * evaluatorDevice}; integers must be equal.
 *
 * ```ts
 * import { checkDevice } from '@gradsim/kernel/testing';
 *
 * it('is a device', () => checkDevice(myDevice));
 * ```
 * @returns all comparisons.
 * @throws with all of them when one exceeds its tolerance. The caller still has to dispose of the device.
 */
export async function checkDevice(device: Device, options: DeviceConformanceOptions = {}): Promise<readonly Finding[]> {
  const { seed = 1, tolerance = device.precision === 'f64' ? 1e-12 : 1e-5 } = options;
  const random = randomNumbers(seed);
  const draw = (low: number, high: number, isWhole = false, count = TEST_ELEMENTS): Float64Array =>
    randomValues(random, count, low, high).map(isWhole ? Math.floor : Math.fround);
  const findings: Finding[] = [];
  for (const { primitive, kernel, inputs } of primitiveTrials(draw))
    findings.push(
      ...(await compareRuns(`primitive ${primitive}`, device, tolerance, [kernel], inputs, {
        sizes: { points: TEST_ELEMENTS },
        wrt: [],
      })),
    );
  for (const { name, kernels, inputs, options: given } of programTrials(draw))
    findings.push(...(await compareRuns(name, device, tolerance, kernels, inputs, given)));
  for (const { name, run } of EXECUTOR_TRIALS) {
    const wrong = await run(device).catch((error: Error) => error.message);
    findings.push({
      comparison: name,
      error: wrong === null ? 0 : Number.POSITIVE_INFINITY,
      tolerance: 0,
      detail: wrong ?? undefined,
    });
  }
  refuseFailures(`device ${device.kind} (${device.description}), seed ${seed}`, findings);
  return findings;
}

/** Runs a program and both its derivatives; returns all results, by kind of result and field. */
async function everythingOf(
  kernels: readonly Kernel[],
  options: ProgramOptions,
  inputs: FieldValues,
): Promise<Map<string, ArrayLike<number>>> {
  const program = await compile(kernels, options);
  try {
    const outputs: FieldValues = await program.run(inputs, { substep: 2, frame: 3 });
    const all = new Map(Object.entries(outputs));
    if (options.wrt?.length === 0) return all;
    const weights = Object.entries(outputs).flatMap(([key, { length }]) =>
      outputs[key] instanceof Uint32Array || outputs[key] instanceof Int32Array
        ? []
        : [[key, Array.from({ length }, (_, k) => Math.cos(k))]],
    );
    const gradients: FieldValues = await program.vjp(Object.fromEntries(weights));
    for (const [key, values] of Object.entries(gradients)) all.set(`the gradient of ${key}`, values);
    const directions = Object.entries(gradients).map(([key, { length }]) => [
      key,
      Array.from({ length }, (_, k) => Math.sin(k)),
    ]);
    const dots: FieldValues = await program.jvp(Object.fromEntries(directions));
    for (const [key, values] of Object.entries(dots)) all.set(`the tangent of ${key}`, values);
    return all;
  } finally {
    program.dispose();
  }
}

async function compareRuns(
  comparison: string,
  device: Device,
  tolerance: number,
  kernels: readonly Kernel[],
  inputs: FieldValues,
  options: Omit<ProgramOptions, 'device'>,
): Promise<Finding[]> {
  const exact = await everythingOf(kernels, { ...options, device: evaluatorDevice() }, inputs);
  try {
    const got = await everythingOf(kernels, { ...options, device }, inputs);
    return [...exact].map(([key, values]): Finding => {
      const isWhole = values instanceof Uint32Array || values instanceof Int32Array;
      const found = got.get(key)!;
      return {
        comparison: `${comparison}: ${key}`,
        error: largestError(found, values),
        tolerance: isWhole ? 0 : tolerance,
      };
    });
  } catch (error) {
    return [{ comparison, error: Number.POSITIVE_INFINITY, tolerance, detail: (error as Error).message }];
  }
}

/** Returns the largest |a - b|, relative to the largest |b|; infinite where only one of a and b is finite. */
function largestError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let k = 0; k < b.length; k++) {
    if (Object.is(a[k], b[k])) continue;
    const each = Math.abs(a[k] - b[k]);
    difference = Math.max(difference, Number.isNaN(each) ? Number.POSITIVE_INFINITY : each);
  }
  for (let k = 0; k < b.length; k++) size = Math.max(size, Math.abs(b[k]));
  return difference === 0 ? 0 : difference / size;
}
