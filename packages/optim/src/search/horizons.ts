import type { Simulation } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { measuredNoise } from '../objective/noise.ts';
import { Objective } from '../objective/objective.ts';
import type { Residuals } from '../objective/residuals.ts';
import { exposureOf, upTo } from '../problem/fewer-frames.ts';
import type { FullOptions } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Compared, Plan, PlanBasis } from './plan.ts';
import { planOf } from './plan.ts';

/** A part of a problem's frames that is estimated before the next, longer one. */
export interface Horizon {
  /** Share of the frames. */
  readonly share: number;
  readonly plan: Plan;
}

/** A horizon before its losses are prepared. */
interface Part {
  readonly share: number;
  readonly part: Problem;
}

/** A plan's basis, with a report for each horizon. */
type HorizonsBasis = Omit<PlanBasis, 'report'> & { readonly reportOf: (share: number) => PlanBasis['report'] };

/** First of the growing horizons, as a share of the frames. */
const FIRST = 0.06;
/** Minimum growth of a horizon, as a share of the frames. */
const MIN_SHARE = 0.02;
/** Minimum growth of a horizon, frames. */
const MIN_FRAMES = 2;
/** Maximum ratio of a horizon's length to the one before. */
const MAX_GROWTH = 2;
/**
 * Ratio of the residuals of a further frame to those of the fitted frames up to which the frame counts as predicted.
 */
const FORETOLD = 3;
/** Limits of shorter horizons, which only give a start: the last one is precise. */
const SHORTER = { iterations: 25, tolerance: 1e-4 } as const;

/** Root mean squares of the residuals of a simulation of one world, by frame; null for frames without any. */
async function residualsByFrame(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
): Promise<(number | null)[]> {
  const sums = Array.from({ length: simulation.frames }, () => ({ squares: 0, values: 0 }));
  const compared = await RunFailure.of(simulation.readComparisons());
  for (const [k, p] of prepared.entries())
    p.frames.forEach(({ frame, rootWeights }, f) => {
      const sum = sums[frame * p.instants];
      sum.squares += compared[k].squares[f];
      sum.values += rootWeights ? rootWeights.reduce((count, root) => count + Number(root !== 0), 0) : p.values;
    });
  return sums.map(({ squares, values }) => (values > 0 ? Math.sqrt(squares / values) : null));
}

/** Noise of the observations, in units of the residuals: the root mean square over all of them. */
function noiseOf({ prepared }: Pick<Residuals, 'prepared'>): number {
  let [squares, values] = [0, 0];
  for (const p of prepared) {
    const noise = p.frames.length > 0 ? measuredNoise(p.frames, p.frames[0].target) : null;
    squares += (noise ?? 0) ** 2 * p.counted;
    values += p.counted;
  }
  return Math.sqrt(squares / Math.max(1, values));
}

/**
 * Number of frames to estimate from next: as far as the current model predicts them, and a little more. Sudden changes,
 * as at a contact, are not predicted, so horizons grow by small steps there, and by long ones where nothing new
 * happens.
 */
export function grown(residuals: readonly (number | null)[], fitted: number, noise: number): number {
  const frames = residuals.length;
  const least = Math.max(MIN_FRAMES, Math.ceil(MIN_SHARE * frames));
  const own = residuals.slice(0, fitted).filter((r) => r !== null);
  const typical = Math.sqrt(own.reduce((sum, r) => sum + r * r, 0) / Math.max(1, own.length));
  // A diverged run has NaN residuals, and predicts nothing.
  const off = residuals.findIndex((r, f) => f >= fitted && r !== null && !(r <= FORETOLD * Math.max(typical, noise)));
  const next = (off < 0 ? frames : off) + least;
  return Math.min(frames, next, Math.max(fitted + least, MAX_GROWTH * fitted));
}

/** Horizons of a problem, in order, each chosen from the end of the one before. */
export class Horizons {
  readonly #whole: Compared;
  readonly #basis: HorizonsBasis;
  readonly #partUpTo: (share: number) => Problem;
  readonly #objectiveOf: (part: Problem) => Objective;
  readonly #parts: readonly Part[] | null;
  #current = 0;

  /** @throws where the problem cannot be estimated in parts, or a horizon leaves nothing to compare. */
  constructor(problem: Problem, objective: Objective, basis: HorizonsBasis) {
    this.#whole = { run: problem, objective };
    this.#partUpTo = (share) => upTo(problem, share);
    this.#objectiveOf = (part) => new Objective(part, basis.unknowns, objective);
    this.#basis = basis;
    const { horizons } = basis.options.search;
    this.#parts = horizons === 'growing' ? null : horizons.map((share) => this.#part(share));
    if (horizons === 'growing' && !objective.residuals)
      throw new GradsimError(
        'optim/residuals-missing',
        "`horizons: 'growing'` goes by the residuals of observations, and the problem has none.",
        { hint: 'Give shares of the frames.' },
      );
    if (this.#parts === null) this.#growing(this.#firstFrames);
  }

  get #firstFrames(): number {
    const { frames } = this.#whole.run;
    const seen = this.#whole.objective.residuals!.prepared.map((p) => (p.frames[0]?.frame ?? 0) * p.instants);
    return Math.min(frames, Math.max(...seen) + Math.max(4, Math.ceil(FIRST * frames)));
  }

  first(): Horizon {
    return this.#planned(this.#parts ? this.#parts[0] : this.#growing(this.#firstFrames));
  }

  /**
   * Next horizon; the last one after an interrupt, to evaluate all frames.
   * @param simulation run of all frames at the best point of the horizon before.
   */
  async next({ plan }: Horizon, simulation: () => Simulation): Promise<Horizon> {
    const isInterrupted = plan.controls.signal?.aborted === true;
    if (this.#parts) {
      do this.#current++;
      while (isInterrupted && this.#parts[this.#current].share < 1);
      return this.#planned(this.#parts[this.#current]);
    }
    if (isInterrupted) return this.#planned(this.#part(1));
    const residuals = this.#whole.objective.residuals!;
    const byFrame = await residualsByFrame(simulation(), residuals);
    return this.#planned(this.#growing(grown(byFrame, plan.run.frames, noiseOf(residuals))));
  }

  /** Part of at least so many frames: what is exposed is not cut. */
  #growing(least: number): Part {
    const { run, objective } = this.#whole;
    const exposure = exposureOf(objective.residuals!.prepared);
    return this.#part(Math.min(1, (exposure * Math.ceil(least / exposure)) / run.frames));
  }

  #part(share: number): Part {
    return { share, part: this.#partUpTo(share) };
  }

  #planned({ share, part }: Part): Horizon {
    const { reportOf, ...basis } = this.#basis;
    const { options } = basis;
    const objective = share === 1 ? this.#whole.objective : this.#objectiveOf(part);
    const { search } = options;
    const isShorter = this.#parts === null && share < 1;
    const own: FullOptions = isShorter
      ? {
          ...options,
          search: {
            ...search,
            iterations: Math.min(search.iterations, SHORTER.iterations),
            tolerance: Math.max(search.tolerance, SHORTER.tolerance),
          },
        }
      : options;
    return { share, plan: planOf(part, objective, { ...basis, options: own, report: reportOf(share) }, this.#whole) };
  }
}
