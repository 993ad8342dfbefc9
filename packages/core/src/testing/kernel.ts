import type { Kernel } from '@gradsim/kernel';
import type { Simulation } from '../tape/simulation.ts';
import { compareWithDifferences } from './differences.ts';
import type { KernelHarness, KernelInputs } from './harness.ts';
import { kernelHarness } from './harness.ts';
import { freshSeed, randomFrom, randomValues } from './random.ts';
import type { Finding } from './report.ts';
import { dot, length, refuseFailures, relativeDifference } from './report.ts';

export interface KernelCheckOptions extends KernelInputs {
  /** Of the random inputs and directions; default a new one every time. It is in the result and in every message. */
  readonly seed?: number;
  /** How many random inputs to try. Default 3. */
  readonly trials?: number;
  /**
   * Values at which derivatives must be finite, by field name: all components of the field take the value, the others
   * stay random. Default 0 for every field, passed over where the kernel's own value is not finite there; values
   * given here are never passed over.
   */
  readonly edges?: Readonly<Record<string, readonly number[]>>;
  /** Of the transpose identity. Default 1e-10. */
  readonly transposeTolerance?: number;
  /** Of central differences. Default 1e-6. */
  readonly differenceTolerance?: number;
}

export interface KernelCheck {
  readonly kernel: string;
  readonly seed: number;
  /** The largest error of <J v, w> = <v, J^T w>. */
  readonly transposeError: number;
  /** The largest error of the tangent against central differences, by input. */
  readonly differenceErrors: Readonly<Record<string, number>>;
  /** Inputs at 0 that were passed over, because the kernel's own value is not finite there. */
  readonly passedOver: readonly string[];
}

/**
 * Checks a kernel's derivatives in double precision: derived adjoint (or the one written by hand) against the derived
 * tangent by the transpose identity <J v, w> = <v, J^T w>, and the tangent against central differences, for every f32
 * field that it reads. At edges (zeros) derivatives must be finite.
 *
 * Values next to a kink (`abs`, `min`, a branch) can spoil a difference: the plateau is looked for down to steps of
 * 3e-8, and `ranges` keep inputs away from where a kernel has no derivative at all.
 *
 * ```ts
 * import { checkKernel } from '@gradsim/core/testing';
 *
 * it('has the right derivatives', () => checkKernel(springForce, { ranges: { restLength: [0.5, 1] } }));
 * ```
 * @throws with all comparisons when one is beyond its tolerance.
 */
export async function checkKernel(kernel: Kernel, options: KernelCheckOptions = {}): Promise<KernelCheck> {
  const {
    seed = freshSeed(),
    trials = 3,
    edges,
    transposeTolerance = 1e-10,
    differenceTolerance = 1e-6,
  } = options;
  const random = randomFrom(seed);
  const findings: Finding[] = [];
  const passedOver: string[] = [];
  const differenceErrors: Record<string, number> = {};
  for (let trial = 0; trial < trials; trial++) {
    const harness = await kernelHarness(kernel, options, random);
    const transposed = await transposeError(harness, random);
    findings.push({
      what: `transpose identity, input ${trial}`,
      tolerance: transposeTolerance,
      ...transposed,
    });
    for (const key of harness.inputs.keys()) {
      const { error, step } = await differenceError(harness, key, random);
      differenceErrors[key] = Math.max(differenceErrors[key] ?? 0, error);
      findings.push({
        what: `tangent and central differences of ${key}, input ${trial}`,
        error,
        tolerance: differenceTolerance,
        detail: `plateau at step ${step.toExponential(1)}`,
      });
    }
    if (trial > 0) continue;
    for (const { key, value, required } of edgesOf(harness, edges)) {
      setAll(harness, new Map([...harness.inputs, [key, harness.inputs.get(key)!.map(() => value)]]));
      const where = `${key} = ${value}`;
      try {
        await forward(harness.tangent, harness);
      } catch (error) {
        if (required)
          findings.push({
            what: where,
            error: Number.POSITIVE_INFINITY,
            tolerance: 0,
            detail: (error as Error).message,
          });
        else passedOver.push(where);
        continue;
      }
      const atEdge = await transposeError(harness, random);
      findings.push({
        what: `finite derivatives and transpose identity at ${where}`,
        tolerance: transposeTolerance,
        ...atEdge,
      });
    }
    harness.adjoint.dispose();
    harness.tangent.dispose();
  }
  refuseFailures(`kernel ${kernel.name} (seed ${seed})`, findings);
  const transposes = findings.filter((f) => f.what.includes('transpose'));
  return {
    kernel: kernel.name,
    seed,
    transposeError: Math.max(...transposes.map((f) => f.error)),
    differenceErrors,
    passedOver,
  };
}

function edgesOf(
  { inputs }: KernelHarness,
  edges: KernelCheckOptions['edges'] = {},
): { key: string; value: number; required: boolean }[] {
  const given = (key: string): readonly number[] | undefined =>
    edges[key] ?? edges[key.slice(key.indexOf('.') + 1)];
  return [...inputs.keys()].flatMap((key) =>
    (given(key) ?? [0]).map((value) => ({ key, value, required: given(key) !== undefined })),
  );
}

function setAll({ adjoint, tangent }: KernelHarness, inputs: ReadonlyMap<string, ArrayLike<number>>): void {
  for (const simulation of [adjoint, tangent])
    for (const [key, values] of inputs) simulation.set(key, values);
}

/** The outputs, one after another. */
async function forward(simulation: Simulation, { outputs }: KernelHarness): Promise<Float64Array> {
  simulation.forward();
  const all: number[] = [];
  for (const key of outputs) all.push(...(await simulation.read(key)));
  return Float64Array.from(all);
}

/** J v for the directions set, one output after another. Runs the simulation. */
async function tangentOf(
  harness: KernelHarness,
  directions: ReadonlyMap<string, Float64Array>,
): Promise<Map<string, Float64Array>> {
  const { tangent, inputs, outputs } = harness;
  const isActive = (key: string): boolean => tangent.compiled.active.has(key);
  for (const [key, values] of inputs) {
    if (isActive(key)) tangent.setTangent(key, directions.get(key) ?? new Float64Array(values.length));
  }
  tangent.forward();
  const dots = new Map<string, Float64Array>();
  for (const key of outputs) {
    const size = (await tangent.read(key)).length;
    dots.set(key, isActive(key) ? await tangent.readTangent(key) : new Float64Array(size));
  }
  return dots;
}

/** |<J v, w> - <v, J^T w>| for random v and w, relative to |v| |J^T w|. */
async function transposeError(
  harness: KernelHarness,
  random: () => number,
): Promise<{ error: number; detail: string }> {
  const { adjoint, inputs } = harness;
  const v = new Map([...inputs].map(([key, x]) => [key, randomValues(random, x.length)]));
  try {
    const dots = await tangentOf(harness, v);
    const w = new Map([...dots].map(([key, y]) => [key, randomValues(random, y.length)]));
    adjoint.forward();
    adjoint.backward(Object.fromEntries(w));
    let [forwardSum, backwardSum, size] = [0, 0, 0];
    for (const [key, dot_] of dots) forwardSum += dot(dot_, w.get(key)!);
    for (const [key, direction] of v) {
      const gradient = await adjoint.gradient(key);
      backwardSum += dot(direction, gradient);
      size += length(direction) * length(gradient);
    }
    return {
      error: relativeDifference(forwardSum, backwardSum, size / 100),
      detail: `<J v, w> = ${forwardSum}, <v, J^T w> = ${backwardSum}`,
    };
  } catch (error) {
    return { error: Number.POSITIVE_INFINITY, detail: (error as Error).message };
  }
}

async function differenceError(harness: KernelHarness, key: string, random: () => number) {
  const start = harness.inputs.get(key)!;
  const direction = randomValues(random, start.length);
  const dots = await tangentOf(harness, new Map([[key, direction]]));
  const result = await compareWithDifferences(
    (step) => {
      harness.tangent.set(
        key,
        start.map((x, k) => x + step * direction[k]),
      );
      return forward(harness.tangent, harness);
    },
    [...dots.values()].flatMap((d) => [...d]),
  );
  harness.tangent.set(key, start);
  return result;
}
