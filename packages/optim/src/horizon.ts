import type { DescentRun, End, Ends } from './descend.ts';
import { descend } from './descend.ts';
import { Search } from './search.ts';
import { drawAround } from './starts.ts';

/** Points that a hop looks at, and at least so many are drawn before the next horizon. */
const POINTS_AROUND = 31;

export interface HorizonEnds extends Ends {
  /** Where the next horizon looks for its starts: the ends, and what was drawn around them. */
  readonly candidates: readonly Float64Array[];
}

/** One horizon: the best of the run's points become starts, go down, and hop out of false minima. */
export async function throughHorizon(run: DescentRun, random: () => number): Promise<HorizonEnds> {
  const { problem, options, unknowns, objective, controls } = run;
  const search = new Search(problem, unknowns, controls, objective);
  const around = ({ x, loss, hessian }: End, count: number): Float64Array[] =>
    hessian
      ? drawAround(unknowns, { x, hessian, loss: Math.max(loss, objective.exactLoss) }, count, random)
      : [];
  try {
    let found = await descend({ ...run, points: await search.best(run.points, options.starts) });
    for (let hop = 0; hop < options.hops && found.stopped === 'tolerance'; hop++) {
      const [best] = found.ends;
      if (objective.isExact(best.loss)) break;
      const [better] = await search.best([best.x, ...around(best, POINTS_AROUND)], 1);
      if (better === best.x) break;
      const next = await descend({ ...run, points: [better] });
      const ends = [...found.ends, ...next.ends].sort((a, b) => a.loss - b.loss);
      found = { ends, stopped: next.stopped };
    }
    const kept = found.ends.slice(0, objective.isExact(found.ends[0].loss) ? 1 : options.starts);
    const count = Math.ceil(Math.max(options.scan, POINTS_AROUND) / kept.length);
    return {
      ...found,
      candidates: [...kept.map(({ x }) => x), ...kept.flatMap((end) => around(end, count))],
    };
  } finally {
    search.dispose();
  }
}
