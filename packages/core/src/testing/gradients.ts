import { GradsimError } from '@gradsim/base';
import { f64Device } from '@gradsim/kernel';
import type { Finding } from '@gradsim/kernel/testing';
import {
  compareWithDifferences,
  dot,
  dotSize,
  freshSeed,
  length,
  randomNumbers,
  randomValues,
  refuseFailures,
  relativeDifference,
} from '@gradsim/kernel/testing';
import type { Model } from '../model/model.ts';
import type { FieldKey } from '../model/references.ts';
import type { KeyedRollout, Rollout, RolloutOptions } from './rollout.ts';
import { createRollout, magnitude, readOutputs, refuseUnknownIn, withKeys } from './rollout.ts';
import { locateParting } from './where-part.ts';
import { whoseFault } from './whose-fault.ts';

export interface GradientCheckOptions extends RolloutOptions {
  /** Largest accepted relative difference of adjoint and tangent. Default 1e-10. */
  readonly transposeTolerance?: number;
  /** Largest accepted relative difference between the tangent and central differences. Default 1e-6. */
  readonly differenceTolerance?: number;
}
const OWN = { transposeTolerance: true, differenceTolerance: true } as const;

/** Comparisons of a gradient that passed, to print or to bound more closely. */
export interface GradientCheck {
  /** Seed that repeats the random weights and directions. */
  readonly seed: number;
  /** Comparisons by parameter, `domain.name`. */
  readonly parameters: Readonly<Record<string, ParameterCheck>>;
  /** Sentence about each parameter of which nothing was tested, since its derivative is 0 in this run. */
  readonly notes: readonly string[];
}

/** Derivative of the weighted outputs along a random direction of one parameter, found in three ways. */
export interface ParameterCheck {
  /** Derivative by the gradient of the adjoint run. */
  readonly adjoint: number;
  /** Derivative by the run with tangents. */
  readonly tangent: number;
  /**
   * Difference of both, relative to the larger one; to the usual size of such a sum where this one cancels by chance.
   */
  readonly transposeError: number;
  /**
   * Relative difference between the tangent and central differences. Once it is below the tolerance, no better step is
   * searched for.
   */
  readonly differenceError: number;
  /** Step length of the central differences with this error, in units of the direction. */
  readonly step: number;
}

/**
 * Checks the gradient of a whole run in double precision. With random weights w of the outputs and, parameter by
 * parameter, a random direction v: the gradient of <w, outputs> along v, from the adjoint run, against the tangent run,
 * and against central differences of the run itself.
 *
 * ```ts
 * import { checkGradients } from '@gradsim/core/testing';
 *
 * await checkGradients(buildModel(scene), {
 *   frames: 4, frameRate: 10, substeps: 5,
 *   parameters: ['motes.mass', 'world.strength'], outputs: ['motes.position', 'world.energy'],
 * });
 * ```
 * @throws for unknown options, when every derivative is 0, so that nothing is tested, and
 * when a difference exceeds its tolerance; the message lists all comparisons, and the cause: where adjoint and
 * tangent differ, a hand-written adjoint, which is named, or the core, if all adjoints are derived.
 */
export async function checkGradients(model: Model, givenOptions: GradientCheckOptions): Promise<GradientCheck> {
  refuseUnknownIn('checkGradients', givenOptions, OWN);
  const options = withKeys(model, givenOptions);
  const { seed = freshSeed() } = options;
  const [checked] = await checkParts(model, { ...options, seed }, [options]);
  const untested = Object.keys(checked).filter((key) => checked[key].adjoint === 0 && checked[key].tangent === 0);
  const remedy = 'Take more frames, a scene in which they act on the outputs, or other parameters.';
  if (untested.length === options.parameters.length)
    throw new GradsimError(
      'core/nothing-to-check',
      `checkGradients (seed ${seed}): the derivatives by ${untested.join(', ')} are all 0, so nothing was tested.`,
      { hint: remedy },
    );
  const notes = untested.map((key) => `The derivative by ${key} is 0, so nothing of it was tested. ${remedy}`);
  return { seed, parameters: checked, notes };
}

/** Outputs that are checked together, and the parameters. */
export interface GradientPart {
  readonly outputs: readonly FieldKey[];
  readonly parameters: readonly FieldKey[];
}

/**
 * Does {@link checkGradients} separately for several parts of the outputs of a model, which is compiled only once.
 *
 * @returns the comparisons of each part.
 * @throws as `checkGradients`, by the first part that fails.
 */
export async function checkGradientParts(
  model: Model,
  givenOptions: Omit<GradientCheckOptions, 'parameters' | 'outputs'>,
  parts: readonly GradientPart[],
): Promise<GradientCheck['parameters'][]> {
  const all = (of: 'parameters' | 'outputs'): FieldKey[] => [...new Set(parts.flatMap((part) => part[of]))];
  const options = withKeys(model, { ...givenOptions, parameters: all('parameters'), outputs: all('outputs') });
  const { seed = freshSeed() } = options;
  return checkParts(
    model,
    { ...options, seed },
    parts.map((part) => withKeys(model, { ...options, ...part })),
  );
}

interface Part {
  readonly outputs: readonly string[];
  readonly parameters: readonly string[];
}

async function checkParts(
  model: Model,
  options: KeyedRollout & GradientCheckOptions & { readonly seed: number },
  parts: readonly Part[],
): Promise<GradientCheck['parameters'][]> {
  for (const part of parts) refuseNothing(part);
  const [adjoint, tangent] = [
    await createRollout(model, options, f64Device(), 'adjoint'),
    await createRollout(model, options, f64Device(), 'tangent'),
  ];
  try {
    const checked: GradientCheck['parameters'][] = [];
    for (const part of parts) checked.push(await checkPart(model, options, part, { adjoint, tangent }));
    return checked;
  } finally {
    adjoint.simulation.dispose();
    tangent.simulation.dispose();
  }
}

/** Checks the gradient of a part of the outputs, with compiled runs. */
async function checkPart(
  model: Model,
  options: KeyedRollout & GradientCheckOptions & { readonly seed: number },
  { outputs, parameters }: Part,
  compiled: { readonly adjoint: Rollout; readonly tangent: Rollout },
): Promise<GradientCheck['parameters']> {
  const { seed, transposeTolerance = 1e-10, differenceTolerance = 1e-6 } = options;
  const [adjoint, tangent] = [ofOutputs(compiled.adjoint, outputs), ofOutputs(compiled.tangent, outputs)];
  const random = randomNumbers(seed);
  adjoint.simulation.forward();
  const outputValues = await readOutputs(adjoint);
  const weights = new Map([...outputValues].map(([key, { length: size }]) => [key, randomValues(random, size)]));
  adjoint.simulation.backward(Object.fromEntries(weights));
  const gradients = await readGradients(adjoint, parameters);
  const sizes = new Map(parameters.map((key) => [key, magnitude(adjoint.starts.get(key)!) || 1]));
  const faint =
    MIN_DERIVATIVE_SHARE *
    Math.hypot(
      ...[...outputValues].map(([key, values]) => dotSize(values, weights.get(key)!)),
      ...parameters.map((key) => length(gradients.get(key)!) * sizes.get(key)!),
    );
  const results: Record<string, ParameterCheck> = {};
  const findings: Finding[] = [];
  const directions = new Map<string, Float64Array>();
  const tangents = new Map<string, WeightedTangent>();
  for (const key of parameters) {
    const start = adjoint.starts.get(key)!;
    const size = sizes.get(key)!;
    const direction = randomValues(random, start.length, -size, size);
    directions.set(key, direction);
    const along = await derivativeAlong(tangent, key, direction, weights);
    tangents.set(key, along);
    const { alongAdjoint, transposeError } = transpose(gradients.get(key)!, direction, along, faint);
    // Runs without tangents, which take less than half of the time.
    const { error, step } = await compareWithDifferences(
      async (h) => {
        adjoint.simulation.set(
          key,
          start.map((x, k) => x + h * direction[k]),
        );
        return [await weightedOutputs(adjoint, weights)];
      },
      [along.sum],
      differenceTolerance,
      along.size / CANCELLATION_FACTOR,
    );
    adjoint.simulation.set(key, start);
    results[key] = {
      adjoint: alongAdjoint,
      tangent: along.sum,
      transposeError,
      differenceError: error,
      step,
    };
    findings.push(
      {
        comparison: `${key}: adjoint and tangent`,
        kind: 'transpose',
        error: transposeError,
        tolerance: transposeTolerance,
        detail: `${alongAdjoint} and ${along.sum}`,
      },
      {
        comparison: `${key}: tangent and central differences`,
        kind: 'differences',
        error,
        tolerance: differenceTolerance,
        detail: `plateau at step ${step.toExponential(1)}`,
      },
    );
  }
  const hint = await whoseFault(model, findings, {
    transposeTolerance,
    /**
     * Returns the largest difference of adjoint and tangent after compiling the model again, with the current adjoints
     * of its kernels.
     */
    transposeError: async () => {
      const again = await createRollout(model, options, f64Device(), 'adjoint');
      again.simulation.forward();
      again.simulation.backward(Object.fromEntries(weights));
      const found = await readGradients(again, parameters);
      again.simulation.dispose();
      const errors = [...directions].map(
        ([key, direction]) => transpose(found.get(key)!, direction, tangents.get(key)!, faint).transposeError,
      );
      return Math.max(...errors);
    },
  });
  const failed = Object.entries(results).flatMap(([key, { differenceError: error, step }]) =>
    error > differenceTolerance ? [{ key, error, step }] : [],
  );
  const where = failed.length > 0 ? await locateParting(tangent.simulation, options, failed).catch(() => null) : null;
  refuseFailures(
    `gradient through ${options.frames} frames of ${options.substeps} substeps (seed ${seed})`,
    findings,
    where ? [hint, where].join('\n') : hint,
  );
  return results;
}

/** Refuses a check without parameters or outputs, which would compare 0 with 0. */
function refuseNothing({ parameters, outputs }: Part): void {
  if (parameters.length === 0 || outputs.length === 0)
    throw new GradsimError(
      'core/nothing-to-check',
      'checkGradients needs at least one parameter and one output; there is nothing to check.',
    );
}

async function readGradients(
  { simulation }: Rollout,
  parameters: readonly string[],
): Promise<ReadonlyMap<string, Float64Array>> {
  const gradients = new Map<string, Float64Array>();
  for (const key of parameters) gradients.set(key, await simulation.gradient(key));
  return gradients;
}

/** A sum of tangents with random weights. */
interface WeightedTangent {
  readonly sum: number;
  /** Size of the sum without cancellation: {@link dotSize}. */
  readonly size: number;
}

/**
 * A sum that is smaller than its usual size by at least this factor counts as cancelled by chance; its error is then
 * relative to the usual size.
 */
const CANCELLATION_FACTOR = 10;

/**
 * A derivative that is this part of the outputs and of all derivatives together is lost in their rounding: at the usual
 * tolerance, differences of some units in the last place of doubles pass.
 */
const MIN_DERIVATIVE_SHARE = 1e-5;

/** Compares the derivative along a direction from the gradient with that from the tangent. */
function transpose(
  gradient: Float64Array,
  direction: Float64Array,
  { sum, size }: WeightedTangent,
  faint: number,
): { alongAdjoint: number; transposeError: number } {
  const alongAdjoint = dot(gradient, direction);
  const floor = Math.max((length(gradient) * length(direction)) / 100, size / CANCELLATION_FACTOR, faint);
  return { alongAdjoint, transposeError: relativeDifference(alongAdjoint, sum, floor) };
}

/** Returns the same rollout, reading only the given outputs. */
const ofOutputs = (rollout: Rollout, outputs: readonly string[]): Rollout => ({
  ...rollout,
  states: rollout.states.filter((key) => outputs.includes(key)),
  recorded: rollout.recorded.filter((key) => outputs.includes(key)),
});

type Weights = ReadonlyMap<string, Float64Array>;

async function weightedOutputs(rollout: Rollout, weights: Weights): Promise<number> {
  rollout.simulation.forward();
  let sum = 0;
  for (const [key, values] of await readOutputs(rollout)) sum += dot(values, weights.get(key)!);
  return sum;
}

async function derivativeAlong(
  { simulation, states, recorded, starts }: Rollout,
  key: string,
  direction: Float64Array,
  weights: Weights,
): Promise<WeightedTangent> {
  for (const [other, start] of starts) {
    if (simulation.hasDerivative(other))
      simulation.setTangent(other, other === key ? direction : new Float64Array(start.length));
  }
  simulation.forward();
  let [sum, square] = [0, 0];
  const add = (field: string, tangent: Float64Array): void => {
    sum += dot(tangent, weights.get(field)!);
    square += dotSize(tangent, weights.get(field)!) ** 2;
  };
  for (const state of states) if (simulation.hasDerivative(state)) add(state, await simulation.readTangent(state));
  for (const field of recorded)
    if (simulation.hasDerivative(field)) add(field, await simulation.readTangentFrames(field));
  return { sum, size: Math.sqrt(square) };
}
