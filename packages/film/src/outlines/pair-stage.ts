import type { Model } from '@gradsim/core';
import type { Estimate, Stage } from '@gradsim/optim';
import { clockOf } from '../clock-tolerance.ts';
import type { Film } from '../film.ts';
import { pointFields } from '../points/options.ts';
import { MASKS } from '../tuning/masks.ts';
import { PAIRS } from '../tuning/tracks.ts';
import { clockCheck } from './clock.ts';
import { type DrawnOutline, drawnStrip } from './drawn.ts';
import type { OutlineFitStageOptions } from './fit-stage.ts';
import type { PairOutlines } from './pair.ts';
import { filmCandidates } from './plans.ts';
import { DIRECTIONS } from './reach.ts';
import { withoutExact } from './without-exact.ts';

/** Options of {@link pairFitStage}. */
export interface PairFitStageOptions
  extends Omit<
    OutlineFitStageOptions,
    'track' | 'outlines' | 'sizeBias' | 'frames' | 'hasSizes' | 'hasColumns' | 'fitsShape'
  > {
  /** Outlines of both things, by {@link pairOutlines}. */
  readonly pair: PairOutlines;
}

/**
 * A stage that compares the middles of two things' outlines with the two points of the plugin `points`, and draws circles of
 * the outlines' sizes over the film for its report.
 *
 * ```ts
 * return [pairFitStage(film, model, { name: 'collision', substeps: 1, pair: pairOutlines(film), parameters })];
 * ```
 */
export function pairFitStage(film: Film, model: Model, stage: PairFitStageOptions): Stage {
  const { name, substeps, notes, pair, parameters = [], options = {}, ...problem } = stage;
  const seen = pair.map((both, frame) => (film.isCompared(frame) ? both : undefined));
  const inexact = withoutExact(stage);
  const { seen: field } = pointFields();
  return {
    name,
    problem: {
      model,
      ...film.timeline(substeps),
      ...clockOf(film, parameters),
      ...problem,
      ...inexact,
      parameters,
      observations: [
        {
          field,
          leastShare: PAIRS.least,
          target: seen.flatMap((both) => (both ? both.flatMap(({ x, y }) => [x, y]) : [0, 0, 0, 0])),
          weights: seen.flatMap((both) => Array<number>(4).fill(Number(both !== undefined))),
          noise: seen.map((_, frame) => noiseAt(seen, frame)),
        },
      ],
      options: { ...options, checks: [...(options.checks ?? []), clockCheck(film)] },
    },
    strip: (estimate) => drawnStrip(film, film.count, (frame) => circlesOf(seen, estimate, frame)),
    ...(notes ? { notes } : {}),
    plan: { candidates: filmCandidates({ parameters, ...inexact }) },
  };
}

/** Standard deviation of middles in a frame, px: more where blur hides rims. */
function noiseAt(seen: PairOutlines, frame: number): number {
  const ways = [seen[frame - 1], seen[frame + 1]].flatMap((beside) =>
    [0, 1].map((k) => {
      const [here, there] = [seen[frame]?.[k], beside?.[k]];
      return here && there ? Math.hypot(there.x - here.x, there.y - here.y) : 0;
    }),
  );
  return Math.hypot(seen[frame]?.[0].uncertainty ?? MASKS.outline, MASKS.blur * Math.max(0, ...ways));
}

function circlesOf(seen: PairOutlines, { predicted }: Estimate, frame: number): DrawnOutline[] {
  const at = predicted[pointFields().seen];
  return [0, 1].map((k) => {
    const sizes = seen.flatMap((pair) => pair?.[k].size ?? []);
    const size = sizes.reduce((sum, own) => sum + own / sizes.length, 0);
    return { x: at[4 * frame + 2 * k], y: at[4 * frame + 2 * k + 1], reaches: DIRECTIONS.map(() => size) };
  });
}
