import { GradsimError } from '@gradsim/base';
import type { Kernel } from '../language/kernel.ts';
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
  /**
   * Values at which derivatives must be finite, by field name: all components of the field take the value, the others
   * stay random. Default 0 for every field, skipped where the kernel's own value is not finite there; values given here
   * are never skipped.
   */
  readonly edges?: Readonly<Record<string, readonly number[]>>;
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
  /** Inputs whose edge value 0 was skipped, because the kernel's own value is not finite there. */
  readonly passedOver: readonly string[];
}

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
 * @throws with all comparisons when one exceeds its tolerance, and when all outputs and derivatives are 0.
 */
export async function checkKernel(kernel: Kernel, options: KernelCheckOptions = {}): Promise<KernelCheck> {
  const { seed = freshSeed(), trials = 3, edges, transposeTolerance = 1e-10, differenceTolerance = 1e-6 } = options;
  const random = randomNumbers(seed);
  const findings: Finding[] = [];
  const passedOver: string[] = [];
  const differenceErrors: Record<string, number> = {};
  let isTested = false;
  for (let k = 0; k < trials; k++) {
    const trial = await KernelTrial.create(kernel, options, random);
    isTested ||= await hasEffect(trial);
    findings.push({
      kind: 'transpose',
      what: `transpose identity, input ${k}`,
      tolerance: transposeTolerance,
      ...(await transposeError(trial, random)),
    });
    for (const key of trial.inputs.keys()) {
      const { error, step } = await differenceError(trial, key, random, differenceTolerance);
      differenceErrors[key] = Math.max(differenceErrors[key] ?? 0, error);
      findings.push({
        what: `tangent and central differences of ${key}, input ${k}`,
        error,
        tolerance: differenceTolerance,
        detail: `plateau at step ${step.toExponential(1)}`,
      });
    }
    for (const { key, value, required } of k === 0 ? edgesOf(trial, edges) : []) {
      const where = `${key} = ${value}`;
      const at = { [key]: trial.inputs.get(key)!.map(() => value) };
      const refusal = await trial.run(at).then(
        () => null,
        (error: Error) => error.message,
      );
      if (refusal === null)
        findings.push({
          kind: 'transpose',
          what: `finite derivatives and transpose identity at ${where}`,
          tolerance: transposeTolerance,
          ...(await transposeError(trial, random, at)),
        });
      else if (required) findings.push({ what: where, error: Number.POSITIVE_INFINITY, tolerance: 0, detail: refusal });
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
  refuseFailures(`kernel ${kernel.name} (seed ${seed})`, findings);
  const transposes = findings.filter(({ kind }) => kind === 'transpose');
  return {
    kernel: kernel.name,
    seed,
    transposeError: Math.max(...transposes.map((f) => f.error)),
    differenceErrors,
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

/**
 * Returns |<J v, w> - <v, J^T w>| for random v and w, relative to the largest of: the two products, 1 % of
 * |v| |J^T w|, and 10 % of the root of the summed squares of the terms of <J v, w>. Infinite if a run fails.
 */
async function transposeError(
  trial: KernelTrial,
  random: () => number,
  at: FieldValues = {},
): Promise<{ error: number; detail: string }> {
  const v = new Map([...trial.inputs].map(([key, x]) => [key, randomValues(random, x.length)]));
  try {
    await trial.run(at);
    const dots = await trial.tangents(v);
    const w = new Map([...dots].map(([key, y]) => [key, randomValues(random, y.length)]));
    const gradients = await trial.gradients(w);
    let [forwardSum, backwardSum, size, square] = [0, 0, 0, 0];
    for (const [key, dot_] of dots) {
      forwardSum += dot(dot_, w.get(key)!);
      square += dotSize(dot_, w.get(key)!) ** 2;
    }
    for (const [key, direction] of v) {
      const gradient = gradients.get(key)!;
      backwardSum += dot(direction, gradient);
      size += length(direction) * length(gradient);
    }
    return {
      error: relativeDifference(forwardSum, backwardSum, Math.max(size / 100, Math.sqrt(square) / 10)),
      detail: `<J v, w> = ${forwardSum}, <v, J^T w> = ${backwardSum}`,
    };
  } catch (error) {
    return { error: Number.POSITIVE_INFINITY, detail: (error as Error).message };
  }
}

async function differenceError(trial: KernelTrial, key: string, random: () => number, tolerance: number) {
  const start = trial.inputs.get(key)!;
  const direction = randomValues(random, start.length);
  await trial.run();
  const dots = await trial.tangents(new Map([[key, direction]]));
  return compareWithDifferences(
    (step) => trial.run({ [key]: start.map((x, k) => x + step * direction[k]) }),
    [...dots.values()].flatMap((d) => [...d]),
    tolerance,
  );
}
