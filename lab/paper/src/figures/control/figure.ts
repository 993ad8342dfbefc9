import { median } from '@gradsim/base';
import type { ControlName } from '@gradsim/examples';
import { CONTROL_TASKS, publishedRuns } from '@gradsim/examples';
import type { Drawn, FigureRow } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import type { Line } from '../lines.ts';
import { linePanels } from '../lines.ts';
import type { SpreadPoint } from '../spread.ts';
import { quartilesOf, spreadOf } from '../spread.ts';
import type { Found, Settings } from './study.ts';
import { ITERATIONS, SUPERVISIONS } from './study.ts';

const name = 'figure-6';
/** Display names of the tasks. */
export const TITLES: Readonly<Record<ControlName, string>> = { walker: 'walker', gear: 'gear', 'cloth-throw': 'cloth' };
const SERIES = { image: 'one image', state: 'state', random: 'random' } as const;
/** Names of the supervisions in the file of published curves. */
const PUBLISHED: Readonly<Record<string, Settings['by']>> = {
  'Single-image supervision (gradsim)': 'image',
  '3D supervision (diff physics)': 'state',
  'Randomly actuated model': 'random',
};

/** The study of both control figures, with its folder of results and its seeds, which they share. */
export const CONTROL_STUDY = {
  study: new URL('../../../src/figures/control/study.ts', import.meta.url),
  folder: 'control',
  count: 6,
  quickCount: 1,
} as const;

/** Error of control over iterations, from one image, from the state, and of random policies. */
export const figure6 = defineFigure<Settings, Found>({
  name,
  title: 'Control: error over iterations',
  ...CONTROL_STUDY,
  published: Object.keys(PUBLISHED),
  draw: async (trials, published): Promise<Drawn> => {
    const lines: Line[] = [];
    const rows: FigureRow[] = [];
    for (const task of Object.keys(CONTROL_TASKS) as ControlName[]) {
      const theirs = published === undefined || task === 'walker' ? [] : await publishedRuns(published, task);
      const iterations = Array.from({ length: ITERATIONS[task] + 1 }, (_, k) => k);
      for (const by of SUPERVISIONS) {
        const own = trials.filter(({ settings }) => settings.task === task && settings.by === by);
        const found = own.flatMap((trial) => trial.found ?? []);
        const runs = theirs.find(({ supervision }) => PUBLISHED[supervision] === by)?.runs;
        const panel = TITLES[task];
        if (found.length > 0) {
          const points =
            by === 'random'
              ? flat(iterations, found)
              : spreadOf(
                  iterations,
                  found.map(({ errors }) => errors),
                );
          lines.push({ panel, series: SERIES[by], points });
        }
        if (runs) {
          const length = Math.min(...runs.map((run) => run.length));
          const points = spreadOf([...Array(length).keys()], runs).map(({ x, y }) => ({ x, y }));
          lines.push({ panel, series: `the paper, ${SERIES[by]}`, points, isPublished: true });
        }
        rows.push(controlRow(name, task, by, own.length, found, runs));
      }
    }
    return {
      rows,
      curves: lines.filter(({ isPublished }) => !isPublished),
      spec: linePanels({
        lines,
        xTitle: 'iterations',
        yTitle: 'mean square error of the position, m²',
        isLog: true,
        floor: 1e-6,
        columns: 3,
        width: 230,
        height: 260,
      }),
    };
  },
});

/** Random policies do not change with iterations: one level, with the quartiles of all. */
function flat(iterations: readonly number[], found: readonly Found[]): SpreadPoint[] {
  const [low, y, high] = quartilesOf(found.flatMap(({ errors }) => errors));
  return [iterations[0], iterations[iterations.length - 1]].map((x) => ({ x, y, low, high }));
}

/** Error at the last iteration, or of random policies, ours beside the published. */
export function controlRow(
  table: string,
  task: ControlName,
  by: Settings['by'],
  n: number,
  found: readonly Found[],
  runs: readonly (readonly number[])[] | undefined,
): FigureRow {
  const last = found.flatMap(({ errors }) => (by === 'random' ? errors : errors.slice(-1)));
  const [low, middle, high] = last.length > 0 ? quartilesOf(last) : [null, null, null];
  return {
    table,
    row: `${TITLES[task]}, ${SERIES[by]}${by === 'random' ? '' : `, after ${ITERATIONS[task]} iterations`}`,
    n,
    measured: middle,
    quartiles: low === null ? null : [low, high!],
    published: runs ? median(runs.map((run) => run[Math.min(ITERATIONS[task], run.length - 1)])) : null,
    trusted: null,
    flaggedOfWrong: null,
    seconds: found.length > 0 ? median(found.map(({ seconds }) => seconds)) : null,
  };
}
