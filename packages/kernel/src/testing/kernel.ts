import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { Kernel } from '../language/kernel.ts';
import type { DifferenceResult } from './differences.ts';
import { compareWithDifferences } from './differences.ts';
import { freshSeed, randomNumbers, randomValues } from './random.ts';
import type { Finding } from './report.ts';
import { dot, dotSize, length, refuseFailures, relativeDifference } from './report.ts';
import type { FieldValues, KernelInputs } from './trial.ts';
import { KernelTrial } from './trial.ts';

export interface KernelCheckOptions extends KernelInputs {
  /** Seed of the random inputs and directions; by default a new one each time. The result and every message name it. */
  readonly seed?: number;
  /** Number of random inputs. Default 3. */
  readonly trials?: number;
  /** Maximum error of the transpose identity. Default 1e-10. */
  readonly transposeTolerance?: number;
  /** Maximum error of the tangent compared with central differences. Default 1e-6. */
  readonly differenceTolerance?: number;
}

export interface KernelCheck {
  readonly kernel: string;
  readonly seed: number;
  /** Largest error of the transpose identity <J v, w> = <v, J^T w>. */
  readonly transposeError: number;
  /**
   * Largest error of the tangent compared with central differences, by input. The search for a better step ends below
   * the tolerance, so smaller values mean nothing.
   */
  readonly differenceErrors: Readonly<Record<string, number>>;
  /**
   * Inputs of which every derivative was 0, for all random inputs: they were not tested. `ranges`, `values` or `sizes`
   * make them act; without a derivative, they are `constants`.
   */
  readonly unseen: readonly string[];
  /** Inputs whose edge value 0 was skipped, because the kernel's own value is not finite there. */
  readonly passedOver: readonly string[];
}

/** Options of {@link checkKernel}, by which misspelt ones are found. */
const OPTIONS: Readonly<Record<keyof KernelCheckOptions, true>> = {
  seed: true,
  trials: true,
  values: true,
  ranges: true,
  constants: true,
  edges: true,
  sizes: true,
  dt: true,
  adjointFields: true,
  transposeTolerance: true,
  differenceTolerance: true,
};

/**
 * Size of sums of products, relative to the largest of all comparisons, whose error is measured by that instead: what
 * terms that cancel leave is rounding.
 */
const CANCELLED = 1e-2;

/**
 * Checks a kernel's derivatives in double precision: the derived (or hand-written) adjoint against the derived tangent
 * by the transpose identity <J v, w> = <v, J^T w>, and the tangent against central differences, for every f32 field
 * that it reads. At edges (zeros) derivatives must be finite.
 *
 * Values next to a kink (`abs`, `min`, a branch) can spoil a difference: the plateau is looked for down to steps of
 * 3e-8, and `ranges` keep inputs away from where a kernel has no derivative at all.
 *
 * ```ts
 * import { checkKernel } from '@gradsim/kernel/testing';
 *
 * it('has the right derivatives', () => checkKernel(springForce, { ranges: { restLength: [0.5, 1] } }));
 * ```
 * @throws for unknown options and names, with all comparisons when one exceeds its tolerance, and when all outputs and
 * derivatives are 0.
 */
export async function checkKernel(kernel: Kernel, options: KernelCheckOptions = {}): Promise<KernelCheck> {
  const { seed = freshSeed(), trials = 3, edges, transposeTolerance = 1e-10, differenceTolerance = 1e-6 } = options;
  refuseUnknownOptions<KernelCheckOptions>('checkKernel', options, OPTIONS);
  const random = randomNumbers(seed);
  const findings: Finding[] = [];
  const products: Products[] = [];
  const differences = new Map<string, Difference[]>();
  const passedOver: string[] = [];
  let isTested = false;
  for (let k = 0; k < trials; k++) {
    const trial = await KernelTrial.create(kernel, options, random);
    isTested ||= await hasEffect(trial);
    products.push(await productsOf(`transpose identity, input ${k}`, trial, random));
    for (const key of trial.inputs.keys()) {
      const own = differences.get(key) ?? [];
      differences.set(key, own);
      own.push(await differenceOf(trial, key, random, differenceTolerance));
    }
    for (const { key, value, required } of k === 0 ? edgesOf(trial, edges) : []) {
      const where = `${key} = ${value}`;
      const at = { [key]: trial.inputs.get(key)!.map(() => value) };
      const refusal = await trial.run(at).then(
        () => null,
        (error: Error) => error.message,
      );
      if (refusal === null)
        products.push(await productsOf(`finite derivatives and transpose identity at ${where}`, trial, random, at));
      else if (required)
        findings.push({ comparison: where, error: Number.POSITIVE_INFINITY, tolerance: 0, detail: refusal });
      else passedOver.push(where);
    }
    trial.dispose();
  }
  if (!isTested)
    throw new GradsimError(
      'kernel/nothing-to-check',
      `kernel ${kernel.name} (seed ${seed}): every output and derivative was 0 for all ${trials} inputs, so nothing was tested.`,
      { kernel: kernel.name, hint: 'Give `ranges`, `values` or `sizes` for which it computes something.' },
    );
  const differenceErrors: Record<string, number> = {};
  for (const [key, own] of differences) {
    const scale = CANCELLED * Math.max(...own.map(({ slope }) => slope));
    const errors = own.map(({ error, size }) => (error * size) / Math.max(size, scale));
    differenceErrors[key] = Math.max(...errors);
    for (const [k, { step }] of own.entries())
      findings.push({
        comparison: `tangent and central differences of ${key}, input ${k}`,
        error: errors[k],
        tolerance: differenceTolerance,
        detail: `plateau at step ${step.toExponential(1)}`,
      });
  }
  const scale = CANCELLED * Math.max(...products.map(({ size }) => size));
  const transposes = products.map(
    ({ name, forward, backward, size, failure }): Finding => ({
      comparison: name,
      error: failure === null ? relativeDifference(forward, backward, Math.max(size, scale)) : Number.POSITIVE_INFINITY,
      tolerance: transposeTolerance,
      detail: failure ?? `<J v, w> = ${forward}, <v, J^T w> = ${backward}`,
    }),
  );
  refuseFailures(`kernel ${kernel.name} (seed ${seed})`, [...transposes, ...findings]);
  return {
    kernel: kernel.name,
    seed,
    transposeError: Math.max(...transposes.map((f) => f.error)),
    differenceErrors,
    unseen: [...differences.keys()].filter((key) => differences.get(key)!.every(({ slope }) => slope === 0)),
    passedOver,
  };
}

/** True if an output or a derivative at the trial's inputs is not 0, or cannot be computed. */
async function hasEffect(trial: KernelTrial): Promise<boolean> {
  const ones = (values: ReadonlyMap<string, Float64Array>) => new Map([...values].map(([k, x]) => [k, x.map(() => 1)]));
  try {
    const outputs = await trial.run();
    const tangents = await trial.tangents(ones(trial.inputs));
    const gradients = await trial.gradients(ones(tangents));
    return [outputs, ...tangents.values(), ...gradients.values()].some((values) => values.some((value) => value !== 0));
  } catch {
    return true;
  }
}

function edgesOf(
  { inputs }: KernelTrial,
  edges: KernelCheckOptions['edges'] = {},
): { key: string; value: number; required: boolean }[] {
  const given = (key: string): readonly number[] | undefined => edges[key] ?? edges[key.slice(key.indexOf('.') + 1)];
  return [...inputs.keys()].flatMap((key) =>
    (given(key) ?? [0]).map((value) => ({ key, value, required: given(key) !== undefined })),
  );
}

/** Both sides of the transpose identity for random v and w. */
interface Products {
  readonly name: string;
  /** <J v, w>. */
  readonly forward: number;
  /** <v, J^T w>. */
  readonly backward: number;
  /**
   * Size that they are compared by: the largest of 1 % of |v| |J^T w| and 10 % of the root of the summed squares of the
   * terms of <J v, w>.
   */
  readonly size: number;
  /** Message of the error with which a run failed, or null. */
  readonly failure: string | null;
}

async function productsOf(
  name: string,
  trial: KernelTrial,
  random: () => number,
  at: FieldValues = {},
): Promise<Products> {
  const v = new Map([...trial.inputs].map(([key, x]) => [key, randomValues(random, x.length)]));
  let [forward, backward, size, square] = [0, 0, 0, 0];
  try {
    await trial.run(at);
    const dots = await trial.tangents(v);
    const w = new Map([...dots].map(([key, y]) => [key, randomValues(random, y.length)]));
    const gradients = await trial.gradients(w);
    for (const [key, dot_] of dots) {
      forward += dot(dot_, w.get(key)!);
      square += dotSize(dot_, w.get(key)!) ** 2;
    }
    for (const [key, direction] of v) {
      const gradient = gradients.get(key)!;
      backward += dot(direction, gradient);
      size += length(direction) * length(gradient);
    }
    return { name, forward, backward, size: Math.max(size / 100, Math.sqrt(square) / 10), failure: null };
  } catch (error) {
    return { name, forward, backward, size: 0, failure: (error as Error).message };
  }
}

interface Difference extends DifferenceResult {
  /** Largest derivative along the direction, without sign. */
  readonly slope: number;
}

async function differenceOf(
  trial: KernelTrial,
  key: string,
  random: () => number,
  tolerance: number,
): Promise<Difference> {
  const start = trial.inputs.get(key)!;
  const direction = randomValues(random, start.length);
  await trial.run();
  const dots = await trial.tangents(new Map([[key, direction]]));
  const slopes = [...dots.values()].flatMap((d) => [...d]);
  const { error, step, size } = await compareWithDifferences(
    (by) => trial.run({ [key]: start.map((x, k) => x + by * direction[k]) }),
    slopes,
    tolerance,
  );
  return { error, step, size, slope: Math.max(...slopes.map(Math.abs)) };
}
