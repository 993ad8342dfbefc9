import type { Comparison, Simulation } from '@gradsim/core';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { isFunctionLoss } from '../problem/loss.ts';
import type { Problem } from '../problem/problem.ts';
import type { Run } from '../problem/run.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { FieldTerm } from './field-term.ts';
import { FunctionTerm } from './function-term.ts';
import { priorSquares, withoutPriors, withPriors } from './priors.ts';
import type { Residuals } from './residuals.ts';
import { residualsOf } from './residuals.ts';
import type { LossAccumulator, Term, TermRun } from './term.ts';

/** Losses of a run, and the derivatives that start its backward pass. */
export interface Assessment {
  /** Loss of each world. */
  readonly losses: Float64Array;
  /** Adjoints of recorded fields, by key, without the contribution of observations. */
  readonly seeds: Readonly<Record<string, Float64Array>>;
  /**
   * For each world, the derivative of the loss with respect to the sum of squared residuals; the device computes the
   * adjoints of observed fields from it.
   */
  readonly squares: Float64Array;
  /**
   * For each world, derivatives of losses of the unknowns' own values with respect to the fields that unknowns set, by
   * key.
   */
  readonly directDerivatives: readonly ReadonlyMap<string, Float64Array>[];
  /** For each world, derivatives of the priors with respect to the coordinates of the unknowns. */
  readonly priors: readonly Float64Array[];
}

/**
 * Function that a problem minimises: the mean of squared residuals, times a factor for priors, plus all other losses.
 */
export class Objective {
  /** Loss term of the observations; null if the problem has none. */
  readonly residuals: Residuals | null;
  readonly #terms: readonly Term[];
  readonly #unknowns: Unknowns;
  /**
   * Buffers for adjoints, by key, reused from run to run: allocating and clearing them takes as long as filling them.
   */
  readonly #seeds = new Map<string, Float64Array>();
  /**
   * Run of all frames: losses of the unknowns' own values apply to it even if this objective covers only its first
   * frames.
   */
  readonly #run: Run;

  /**
   * @param whole objective of all frames, if the problem covers only the first part of its time.
   * @throws if there is nothing to minimise, or if a loss or an observation uses an unknown field or frame.
   */
  constructor(problem: Problem, unknowns: Unknowns, whole?: Objective) {
    const { model, observations = [], losses = [], frames } = problem;
    if (observations.length + losses.length === 0)
      throw new GradsimError(
        'optim/nothing-to-compare',
        'There is nothing to compare with: the problem has neither observations nor losses.',
      );
    this.#run = whole ? whole.#run : problem;
    this.residuals = whole
      ? (whole.residuals?.upTo(frames) ?? null)
      : observations.length > 0
        ? residualsOf(model, observations, frames)
        : null;
    this.#terms = losses.map((loss) =>
      isFunctionLoss(loss)
        ? new FunctionTerm(model, loss, loss.recordedFields ? problem : this.#run, unknowns.fields)
        : new FieldTerm(model, loss, frames),
    );
    this.#unknowns = unknowns;
    const names = this.#all.map(({ name }) => name);
    const twice = names.find((name, k) => names.indexOf(name) !== k);
    if (twice !== undefined)
      throw new GradsimError('optim/name-taken', `Two losses have the name ${twice}.`, {
        hint: 'Give them names of their own.',
      });
    const prior = unknowns.blocks.find((block) => block.prior);
    if (prior && !this.residuals)
      throw new GradsimError(
        'optim/prior-without-residuals',
        `${prior.name} has a prior, which is weighed against residuals of observations, and there are none.`,
        { hint: 'Add a loss: `deviationPenalty(field, values, { weight })`.' },
      );
  }

  get #all(): readonly Term[] {
    return this.residuals ? [this.residuals, ...this.#terms] : this.#terms;
  }

  /** Comparisons with targets that a simulation makes to compute the sums of squared residuals of its runs. */
  get comparisons(): readonly Comparison[] {
    return this.residuals?.comparisons ?? [];
  }

  /** Keys of the recorded fields that losses use. */
  get fields(): string[] {
    return [...new Set(this.#all.flatMap(({ fields }) => fields))];
  }

  /** Keys of the fields set by unknowns that losses use directly. */
  get direct(): string[] {
    return this.#all.flatMap(({ directFields = [] }) => directFields);
  }

  /** Name of the first loss that is no sum of squared residuals: it has a gradient, but no Gauss-Newton Hessian. */
  get withoutResiduals(): string | undefined {
    return this.#terms[0]?.name;
  }

  /**
   * Loss of a perfect fit due to rounding in single precision; 0 if there are losses without residuals, which may be
   * anything at a perfect fit.
   */
  get exactLoss(): number {
    return this.residuals && this.#terms.length === 0 ? this.residuals.exactLoss('f32') : 0;
  }
  /** True if a loss is no larger than that of a perfect fit in single precision, whatever the device's precision. */
  isExact(loss: number): boolean {
    return this.residuals !== null && this.#terms.length === 0 && loss <= this.exactLoss;
  }

  /** Loss of the observations without priors, from the total loss at a point, for objectives without other losses. */
  ofObservations({ x, loss }: { readonly x: Float64Array; readonly loss: number }): number {
    return withoutPriors(loss, priorSquares(this.#unknowns, x).sum, this.residuals!);
  }

  /** Total loss at a point with a mean of squared residuals, as priors are weighed now: inverse of {@link ofObservations}. */
  withPriors(x: Float64Array, meanSquare: number): number {
    return withPriors(meanSquare, priorSquares(this.#unknowns, x).sum, this.residuals!).loss;
  }

  /** Runs `act`; if it fails since a field is not recorded, the error names the loss that uses the field. */
  async namingLoss<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!isGradsimError(error, 'core/not-recordable')) throw error;
      const term = this.#terms.find(({ fields }) => fields.some((field) => field === error.field));
      if (!term) throw error;
      throw new GradsimError(
        'optim/field-not-recorded',
        `The loss ${term.name} asks for a field that is not recorded. ${error.message}`,
        { cause: error },
      );
    }
  }

  /**
   * Losses of some worlds of the last run, without priors; `xs` are the coordinates of the unknowns in these worlds.
   */
  async losses(simulation: Simulation, worlds: readonly number[], xs: readonly Float64Array[]): Promise<Float64Array> {
    const accumulator = this.#accumulator(simulation, worlds.length);
    for (const term of this.#all) await term.add(accumulator, this.#termRun(simulation, worlds, xs));
    return accumulator.losses;
  }

  /** Value of each loss in a run of one world, by name. */
  async parts(simulation: Simulation, x: Float64Array): Promise<Record<string, number>> {
    const parts: Record<string, number> = {};
    for (const term of this.#all) {
      const accumulator = this.#accumulator(simulation, 1);
      await term.add(accumulator, this.#termRun(simulation, [0], [x]));
      parts[term.name] = accumulator.losses[0];
    }
    return parts;
  }

  /** Losses of all worlds of the last run, and all derivatives that need no backward pass. */
  async assess(simulation: Simulation, xs: readonly Float64Array[]): Promise<Assessment> {
    const { residuals } = this;
    const all = [...xs.keys()];
    const run = this.#termRun(simulation, all, xs);
    for (const seeds of this.#seeds.values()) seeds.fill(0);
    const accumulator: LossAccumulator = {
      ...this.#accumulator(simulation, xs.length),
      seeds: this.#seeds,
      directDerivatives: xs.map(() => new Map<string, Float64Array>()),
    };
    const squares = residuals ? xs.map((x) => priorSquares(this.#unknowns, x)) : [];
    await residuals?.add(accumulator, run);
    const priors = squares.map(({ sum, gradient }, w) => {
      const { loss, ofLoss, ofPriors } = withPriors(accumulator.losses[w], sum, residuals!);
      accumulator.losses[w] = loss;
      accumulator.squares[w] *= ofLoss;
      return gradient.map((g) => g * ofPriors);
    });
    for (const term of this.#terms) await term.add(accumulator, run);
    return { ...accumulator, seeds: Object.fromEntries(this.#seeds), priors };
  }

  /** Adjoints of all recorded fields in a run of one world, including those of observations; for inspection. */
  async seedsAt(simulation: Simulation, x: Float64Array): Promise<Record<string, Float64Array>> {
    const { seeds, squares } = await this.assess(simulation, [x]);
    const all = new Map(Object.entries(seeds).map(([key, own]) => [key, own.slice()]));
    const accumulator: LossAccumulator = { ...this.#accumulator(simulation, 1), seeds: all, squares };
    await this.residuals?.addSeeds(accumulator, simulation, 0);
    return Object.fromEntries(all);
  }

  #accumulator(simulation: Simulation, count: number): LossAccumulator {
    return {
      losses: new Float64Array(count),
      seeds: null,
      squares: new Float64Array(simulation.worlds),
      directDerivatives: [],
    };
  }

  #termRun(simulation: Simulation, worlds: readonly number[], xs: readonly Float64Array[]): TermRun {
    const fieldValues = (key: string, at: number): Float64Array => this.#unknowns.fieldValues(key, xs[at], this.#run);
    return { simulation, worlds, fieldValues };
  }
}
