import { descend } from '../descent/descend.ts';
import type { Plan } from '../plan/plan.ts';
import type { End, Ends } from '../posterior/found.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { Scan } from './scan.ts';
import { drawAround, drawBeside } from './starting-points.ts';

/** Number of points around the estimate that a hop tries, and minimum number drawn before the next horizon. */
const POINTS_AROUND = 31;

/** Relative difference of losses below which two ends count as the same minimum. */
const SAME_MINIMUM = 1e-2;
/** Number of consecutive hops without gain after which no more are made. */
const MAX_MISSES = 2;

/** Returns null for the error of a failed run; throws any other error again. */
const nullIfFailed = (error: unknown): null => {
  if (error instanceof RunFailure) return null;
  throw error;
};

/** Maximum number of spare points, which replace starts whose descent fails at once. */
const MAX_SPARE_POINTS = 7;

/** Descends from the best points; if their runs fail, from the next best ones. */
async function fromBestEnds(plan: Plan, points: readonly Float64Array[], scan: Scan): Promise<Ends> {
  const { starts } = plan.options.search;
  const spare = Math.max(0, Math.min(MAX_SPARE_POINTS, points.length - 1 - starts));
  const ranked = await scan.best(points, starts + spare);
  for (let from = 0; ; from += starts) {
    try {
      return await descend({ ...plan, points: ranked.slice(from, from + starts) });
    } catch (error) {
      if (!(error instanceof RunFailure) || from + starts >= ranked.length) throw error;
    }
  }
}

export interface HorizonEnds extends Ends {
  /** Candidates for starting points of the next horizon: the ends, and points drawn around them. */
  readonly candidates: readonly Float64Array[];
}

/** Searches one horizon: descends from the best of the points, then hops out of false minima. */
export async function searchHorizon(
  plan: Plan,
  points: readonly Float64Array[],
  random: () => number,
): Promise<HorizonEnds> {
  const { unknowns, objective } = plan;
  const { search } = plan.options;
  const scan = new Scan(plan);
  const around = ({ x, loss, hessian }: End, count: number): Float64Array[] =>
    hessian ? drawAround(unknowns, { x, hessian, loss: Math.max(loss, objective.exactLoss) }, count, random) : [];
  try {
    let found = await fromBestEnds(plan, points, scan);
    const starts = found.ends.map(({ loss }) => loss);
    let lastGain: number | null = null;
    let misses = 0;
    for (let hop = 0; hop < search.hops && found.stopped === 'tolerance'; hop++) {
      const [best] = found.ends;
      if (objective.isExact(best.loss)) break;
      const [likely] = await scan.best([best.x, ...around(best, POINTS_AROUND)], 1);
      const others =
        search.starts > 1 && best.hessian ? drawBeside(unknowns, { ...best, hessian: best.hessian }, misses) : [];
      const points = [...(likely === best.x ? [] : [likely]), ...others].slice(0, search.starts);
      if (points.length === 0) break;
      const next = await descend({ ...plan, points }).catch(nullIfFailed);
      // If it cannot begin, nothing is better.
      if (!next) break;
      const ends = [...found.ends, ...next.ends].sort((a, b) => a.loss - b.loss);
      if (hop === search.hops - 1) lastGain = best.loss - ends[0].loss;
      found = { ends, stopped: next.stopped, exploded: found.exploded ?? next.exploded };
      const isSame = ({ loss }: End): boolean => Math.abs(loss - best.loss) < SAME_MINIMUM * best.loss;
      misses = best.loss - ends[0].loss > SAME_MINIMUM * best.loss ? 0 : misses + 1;
      if (misses === MAX_MISSES || next.ends.every(isSame)) break;
    }
    const kept = found.ends.slice(0, objective.isExact(found.ends[0].loss) ? 1 : search.starts);
    const count = Math.ceil(Math.max(search.scan, POINTS_AROUND) / kept.length);
    return {
      ...found,
      restarts: { starts, lastGain },
      candidates: [...kept.map(({ x }) => x), ...kept.flatMap((end) => around(end, count))],
    };
  } finally {
    scan.dispose();
  }
}
