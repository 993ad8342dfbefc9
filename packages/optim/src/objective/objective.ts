import type { Comparison, Simulation } from '@gradsim/core';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { isFunctionLoss } from '../problem/loss.ts';
import type { Problem } from '../problem/problem.ts';
import type { Run } from '../problem/run.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { FieldTerm } from './field-term.ts';
import { FunctionTerm } from './function-term.ts';
import { priorFactor, priorSquares } from './priors.ts';
import type { Residuals } from './residuals.ts';
import { residualsOf } from './residuals.ts';
import type { Tally, Term, TermRun } from './term.ts';

/** Losses of a run, and the seeds of its backward pass. */
export interface Assessment {
  /** Losses by world. */
  readonly losses: Float64Array;
  /** Adjoints of the recorded fields, without those of residuals. */
  readonly seeds: Readonly<Record<string, Float64Array>>;
  /**
   * Derivative of the loss with respect to the sum of squared residuals, by world; the device computes the adjoints
   * from it.
   */
  readonly squares: Float64Array;
  /** Derivatives of losses with respect to the fields that unknowns set, by world and key. */
  readonly direct: readonly ReadonlyMap<string, Float64Array>[];
  /** Derivatives of priors with respect to coordinates, by world. */
  readonly priors: readonly Float64Array[];
}

/** Objective of a problem: the mean of squared residuals, weighted with priors, and all other losses. */
export class Objective {
  /** Null if the problem has no observations. */
  readonly residuals: Residuals | null;
  readonly #terms: readonly Term[];
  readonly #unknowns: Unknowns;
  /** Kept from run to run: allocating and clearing a film's worth takes as long as filling it. */
  readonly #seeds = new Map<string, Float64Array>();
  /** Run of all frames, for losses of the unknowns' own values, even if the rest uses a part of it. */
  readonly #run: Run;

  /**
   * @param whole objective of all frames, if the problem is the first part of another.
   * @throws when there is nothing to minimise, or a loss or an observation uses something unknown.
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
        ? new FunctionTerm(model, loss, loss.of ? problem : this.#run, unknowns.fields)
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
        { hint: 'Add a loss: `towards(field, values, { weight })`.' },
      );
  }

  get #all(): readonly Term[] {
    return this.residuals ? [this.residuals, ...this.#terms] : this.#terms;
  }

  /** Comparisons that a simulation has to make for the losses of its runs. */
  get comparisons(): readonly Comparison[] {
    return this.residuals?.comparisons ?? [];
  }

  /** Keys of the recorded fields that are used. */
  get fields(): string[] {
    return [...new Set(this.#all.flatMap(({ fields }) => fields))];
  }

  /** Keys of the fields of unknowns whose own values losses use. */
  get direct(): string[] {
    return this.#all.flatMap(({ direct = [] }) => direct);
  }

  /** Name of the first loss that is no sum of squared residuals: it has a gradient, but no Gauss-Newton Hessian. */
  get withoutResiduals(): string | undefined {
    return this.#terms[0]?.name;
  }

  /** Loss that single-precision rounding leaves of a perfect fit; 0 where a fit may have any loss. */
  get exactLoss(): number {
    return this.residuals && this.#terms.length === 0 ? this.residuals.exactLoss('f32') : 0;
  }
  /** True if nothing is left to be explained: then a fit counts as perfect in doubles too. */
  isExact(loss: number): boolean {
    return this.residuals !== null && this.#terms.length === 0 && loss <= this.exactLoss;
  }

  /** Loss of the observations alone at a point: the total, which holds no other losses, divided by the factor of the priors. */
  ofObservations({ x, loss }: { readonly x: Float64Array; readonly loss: number }): number {
    return loss / priorFactor(priorSquares(this.#unknowns, x).sum / this.residuals!.count).factor;
  }

  /** Makes an error about a recorded field name the loss that uses it. */
  async named<T>(act: () => Promise<T>): Promise<T> {
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

  /** Losses of some worlds, without priors; `xs` are their coordinates. */
  async losses(simulation: Simulation, worlds: readonly number[], xs: readonly Float64Array[]): Promise<Float64Array> {
    const tally = this.#tally(simulation, worlds.length);
    for (const term of this.#all) await term.add(tally, this.#termRun(simulation, worlds, xs));
    return tally.losses;
  }

  /** Each loss of a run of one world by its name. */
  async parts(simulation: Simulation, x: Float64Array): Promise<Record<string, number>> {
    const parts: Record<string, number> = {};
    for (const term of this.#all) {
      const tally = this.#tally(simulation, 1);
      await term.add(tally, this.#termRun(simulation, [0], [x]));
      parts[term.name] = tally.losses[0];
    }
    return parts;
  }

  /** Losses of all worlds of the last run, and all derivatives that need no backward pass. */
  async assess(simulation: Simulation, xs: readonly Float64Array[]): Promise<Assessment> {
    const { residuals } = this;
    const all = [...xs.keys()];
    const run = this.#termRun(simulation, all, xs);
    for (const seeds of this.#seeds.values()) seeds.fill(0);
    const tally: Tally = {
      ...this.#tally(simulation, xs.length),
      seeds: this.#seeds,
      direct: xs.map(() => new Map<string, Float64Array>()),
    };
    const squares = residuals ? xs.map((x) => priorSquares(this.#unknowns, x)) : [];
    const factors = squares.map(({ sum }) => priorFactor(sum / residuals!.count));
    await residuals?.add(
      tally,
      run,
      factors.map(({ factor }) => factor),
    );
    const priors = squares.map(({ gradient }, w) => {
      const mean = tally.losses[w] / factors[w].factor;
      return gradient.map((g) => (g * mean * factors[w].slope) / residuals!.count);
    });
    for (const term of this.#terms) await term.add(tally, run);
    return { ...tally, seeds: Object.fromEntries(this.#seeds), priors };
  }

  /** All adjoints of the recorded fields in a run of one world, including those of residuals, for inspection. */
  async seedsAt(simulation: Simulation, x: Float64Array): Promise<Record<string, Float64Array>> {
    const { seeds, squares } = await this.assess(simulation, [x]);
    const all = new Map(Object.entries(seeds).map(([key, own]) => [key, own.slice()]));
    const tally: Tally = { ...this.#tally(simulation, 1), seeds: all, squares };
    await this.residuals?.addSeeds(tally, simulation, 0);
    return Object.fromEntries(all);
  }

  #tally(simulation: Simulation, count: number): Tally {
    return { losses: new Float64Array(count), seeds: null, squares: new Float64Array(simulation.worlds), direct: [] };
  }

  #termRun(simulation: Simulation, worlds: readonly number[], xs: readonly Float64Array[]): TermRun {
    const given = (key: string, at: number): Float64Array => this.#unknowns.fieldValues(key, xs[at], this.#run);
    return { simulation, worlds, given };
  }
}
