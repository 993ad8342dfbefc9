import type { Simulation } from '@gradsim/core';
import { measuredNoise } from '../objective/noise.ts';
import { fillResidual } from '../objective/prepared.ts';
import type { Residuals } from '../objective/residuals.ts';
import { upTo } from '../problem/fewer-frames.ts';
import type { Settings } from '../problem/options.ts';
import type { Problem } from '../problem/problem.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/** A part of a problem's frames that is estimated from before the next, longer one. */
export interface Horizon {
  /** Of the frames. */
  readonly share: number;
  readonly part: Problem;
  readonly options: Settings;
}

/** The first horizon of those that grow, and by how much each is longer at least: shares of the frames, and frames. */
const FIRST = 0.06;
const LEAST_SHARE = 0.02;
const LEAST_FRAMES = 2;
/** A horizon is no more than so many times as long as the one before. */
const MOST_GROWTH = 2;
/** Frames are foretold while their residuals are within so many times those of the frames that are fitted. */
const FORETOLD = 3;
/** Shorter horizons are there to begin with: the last one makes it exact. */
const SHORTER = { iterations: 25, tolerance: 1e-4 } as const;

/** How the frames of a simulation at some point compare, by frame: the root mean square of residuals, null without any. */
export async function residualsByFrame(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
): Promise<(number | null)[]> {
  const sums = Array.from({ length: simulation.frames }, () => ({ squares: 0, values: 0 }));
  for (const p of prepared) {
    const record = await RunFailure.of(simulation.readRecord(p.field));
    const residual = new Float64Array(p.values);
    p.frames.forEach(({ frame, rootWeights }, f) => {
      fillResidual(residual, p, { record, world: 0, f });
      const sum = sums[frame * p.instants];
      residual.forEach((r, k) => {
        if (rootWeights?.[k] === 0) return;
        sum.squares += r * r;
        sum.values++;
      });
    });
  }
  return sums.map(({ squares, values }) => (values > 0 ? Math.sqrt(squares / values) : null));
}

/** The noise of what was seen, as residuals count it: the root mean square over all observations. */
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
 * How many frames to estimate from next: as far as the model at hand foretells them, and a little more. What changes suddenly, as
 * at a contact, is not foretold, so horizons grow by small steps there, and by long ones where nothing new happens.
 */
export function grown(residuals: readonly (number | null)[], fitted: number, noise: number): number {
  const frames = residuals.length;
  const least = Math.max(LEAST_FRAMES, Math.ceil(LEAST_SHARE * frames));
  const own = residuals.slice(0, fitted).filter((r) => r !== null);
  const typical = Math.sqrt(own.reduce((sum, r) => sum + r * r, 0) / Math.max(1, own.length));
  // A run that went to infinity has residuals that are no numbers, and foretells nothing.
  const off = residuals.findIndex((r, f) => f >= fitted && r !== null && !(r <= FORETOLD * Math.max(typical, noise)));
  const next = (off < 0 ? frames : off) + least;
  return Math.min(frames, next, Math.max(fitted + least, MOST_GROWTH * fitted));
}

/** The horizons of a problem, one after another, each told how the one before ended. */
export class Horizons {
  readonly #problem: Problem;
  readonly #options: Settings;
  readonly #parts: readonly Horizon[] | null;
  readonly #residuals: Residuals | null;
  #current = 0;

  /** @throws where the problem cannot be estimated in parts, or a horizon leaves nothing to compare. */
  constructor(problem: Problem, options: Settings, residuals: Residuals | null) {
    this.#problem = problem;
    this.#options = options;
    this.#residuals = residuals;
    const { horizons } = options;
    this.#parts =
      horizons === 'growing' ? null : horizons.map((share) => ({ share, part: upTo(problem, share), options }));
    if (horizons === 'growing' && !residuals)
      throw new Error(
        "`horizons: 'growing'` goes by the residuals of observations, and the problem has none: give shares of the frames.",
      );
    if (this.#parts === null) this.#growing(this.#firstFrames);
  }

  get #firstFrames(): number {
    const { frames } = this.#problem;
    const seen = this.#residuals!.prepared.map((p) => (p.frames[0]?.frame ?? 0) * p.instants);
    return Math.min(frames, Math.max(...seen) + Math.max(4, Math.ceil(FIRST * frames)));
  }

  first(): Horizon {
    return this.#parts ? this.#parts[0] : this.#growing(this.#firstFrames);
  }

  /**
   * The horizon after one; null after the last.
   * @param simulation all frames, as the best of the horizon before has them.
   * @param isInterrupted whether what is left is one look at all frames.
   */
  async next(horizon: Horizon, simulation: () => Simulation, isInterrupted: boolean): Promise<Horizon | null> {
    if (horizon.share === 1) return null;
    if (this.#parts) return this.#parts[++this.#current];
    if (isInterrupted) return this.#growing(this.#problem.frames);
    const byFrame = await residualsByFrame(simulation(), this.#residuals!);
    return this.#growing(grown(byFrame, horizon.part.frames, noiseOf(this.#residuals!)));
  }

  #growing(frames: number): Horizon {
    const share = frames / this.#problem.frames;
    const part = upTo(this.#problem, share);
    if (share >= 1) return { share: 1, part: this.#problem, options: this.#options };
    const { iterations, tolerance } = this.#options;
    return {
      share,
      part,
      options: {
        ...this.#options,
        iterations: Math.min(iterations, SHORTER.iterations),
        tolerance: Math.max(tolerance, SHORTER.tolerance),
      },
    };
  }
}
