import type { Simulation } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { measuredNoise } from '../objective/noise.ts';
import { Objective } from '../objective/objective.ts';
import { hasWeight } from '../objective/prepared-observation.ts';
import type { Residuals } from '../objective/residuals.ts';
import type { Compared, Plan, PlanBasis } from '../plan/plan.ts';
import { planOf } from '../plan/plan.ts';
import { exposureOf, problemUpTo, suitsHorizons } from '../problem/fewer-frames.ts';
import type { FullOptions } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/** A horizon: the first part of a problem's frames, which is estimated before a longer one. */
export interface Horizon {
  /** Share of the problem's frames, 0 to 1. */
  readonly share: number;
  readonly plan: Plan;
}

/** A horizon whose plan has not been made yet. */
interface Part {
  readonly share: number;
  readonly part: Problem;
}

/** Common parts of all plans, with a function that makes the report function for a share of the frames. */
type HorizonsBasis = Omit<PlanBasis, 'report'> & { readonly reportOf: (share: number) => PlanBasis['report'] };

/** Length of the first growing horizon beyond the first frame of all observations, as a share of all frames. */
const FIRST_SHARE = 0.06;
/** Minimum growth from one horizon to the next, as a share of all frames. */
const MIN_SHARE = 0.02;
/** Minimum growth from one horizon to the next, in frames. */
const MIN_FRAMES = 2;
/** Maximum ratio of a horizon's length to that of the previous one. */
const MAX_GROWTH = 2;
/** Ratio of a later frame's residuals to those of the fitted frames up to which the estimate predicts that frame. */
const MAX_RESIDUAL_RATIO = 3;
/** Least tolerance in all horizons but the last, which only provide a start for it; and maximum iterations in growing ones. */
const HORIZON_SEARCH = { tolerance: 1e-4, iterations: 25 } as const;

/** Root mean square of the residuals in each frame, from a run of one world; null for frames that are not compared. */
async function residualsByFrame(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
): Promise<(number | null)[]> {
  const sums = Array.from({ length: simulation.frames }, () => ({ squares: 0, values: 0 }));
  const compared = await RunFailure.whileReading(simulation.readComparisons());
  for (const [k, p] of prepared.entries())
    p.frames.forEach(({ frame, rootWeights }, f) => {
      const sum = sums[frame * p.instants];
      sum.squares += compared[k].squares[f];
      sum.values += rootWeights ? rootWeights.reduce((count, root) => count + Number(root !== 0), 0) : p.values;
    });
  return sums.map(({ squares, values }) => (values > 0 ? Math.sqrt(squares / values) : null));
}

/** Root mean square over all observations of the noise measured from their targets, in units of weighted residuals. */
function noiseOfTargets({ prepared }: Pick<Residuals, 'prepared'>): number {
  let [squares, values] = [0, 0];
  for (const p of prepared) {
    const noise = p.frames.length > 0 ? measuredNoise(p.frames, p.frames[0].target) : null;
    squares += (noise ?? 0) ** 2 * p.counted;
    values += p.counted;
  }
  return Math.sqrt(squares / Math.max(1, values));
}

/**
 * Number of frames in the next horizon: as many as the present estimate predicts, and a little more. It does not
 * predict sudden changes, such as contacts, so horizons grow by small steps there and by long ones elsewhere.
 */
export function nextHorizon(residuals: readonly (number | null)[], fitted: number, noise: number): number {
  const frames = residuals.length;
  const least = Math.max(MIN_FRAMES, Math.ceil(MIN_SHARE * frames));
  const own = residuals.slice(0, fitted).filter((r) => r !== null);
  const typical = Math.sqrt(own.reduce((sum, r) => sum + r * r, 0) / Math.max(1, own.length));
  // A diverged run has NaN residuals, and predicts nothing.
  const off = residuals.findIndex(
    (r, f) => f >= fitted && r !== null && !(r <= MAX_RESIDUAL_RATIO * Math.max(typical, noise)),
  );
  const next = (off < 0 ? frames : off) + least;
  return Math.min(frames, next, Math.max(fitted + least, MAX_GROWTH * fitted));
}

/** Sequence of a problem's horizons; growing ones are chosen from the end of the previous one. */
export class Horizons {
  readonly #whole: Compared;
  readonly #basis: HorizonsBasis;
  readonly #partUpTo: (share: number) => Problem;
  readonly #objectiveOf: (part: Problem) => Objective;
  readonly #parts: readonly Part[] | null;
  readonly #isCuttable: boolean;
  #current = 0;

  /** @throws if the problem cannot be restricted to a part of its time, or if a horizon leaves nothing to compare. */
  constructor(problem: Problem, objective: Objective, basis: HorizonsBasis) {
    this.#whole = { run: problem, objective };
    this.#partUpTo = (share) => problemUpTo(problem, share);
    this.#objectiveOf = (part) => new Objective(part, basis.unknowns, objective);
    this.#basis = basis;
    this.#isCuttable = suitsHorizons(problem);
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
    const seen = this.#whole.objective.residuals!.prepared.map(
      (p) => (p.frames.find(hasWeight)?.frame ?? 0) * p.instants,
    );
    return Math.min(frames, Math.max(...seen) + Math.max(4, Math.ceil(FIRST_SHARE * frames)));
  }

  first(): Horizon {
    return this.#planned(this.#parts ? this.#parts[0] : this.#growing(this.#firstFrames));
  }

  /**
   * Returns the next horizon; after an interrupt, the last one, so that all frames are evaluated.
   * @param simulation returns a simulation whose last run is that of all frames at the best point of this horizon.
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
    return this.#planned(this.#growing(nextHorizon(byFrame, plan.run.frames, noiseOfTargets(residuals))));
  }

  /** Plan of all frames. */
  whole(): Plan {
    return this.#planned(this.#part(1)).plan;
  }

  /**
   * Plan of the first frames, at least `frames` of them and fewer than all; null if the problem cannot be cut there.
   */
  beginning(frames: number): Plan | null {
    const { share, part } = this.#isCuttable ? this.#growing(frames) : { share: 1, part: null };
    return share < 1 ? this.#planned({ share, part: part! }).plan : null;
  }

  /** Horizon of at least `least` frames, rounded up so that it does not cut an exposure. */
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
    const most = this.#parts === null ? HORIZON_SEARCH.iterations : search.iterations;
    const shorter = {
      ...search,
      iterations: Math.min(search.iterations, most),
      tolerance: Math.max(search.tolerance, HORIZON_SEARCH.tolerance),
    };
    const own: FullOptions = share < 1 ? { ...options, search: shorter } : options;
    return { share, plan: planOf(part, objective, { ...basis, options: own, report: reportOf(share) }, this.#whole) };
  }
}
