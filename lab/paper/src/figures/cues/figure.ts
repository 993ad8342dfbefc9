import { median } from '@gradsim/base';
import { CUE_DEFAULTS, LOOKS } from '@gradsim/examples';
import type { Drawn, FigureRow } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import type { Line } from '../lines.ts';
import { linePanels } from '../lines.ts';
import { quartilesOf, spreadOf } from '../spread.ts';
import type { Found, Settings } from './study.ts';

/** Display names of the looks, as in the paper. */
const NAMES = { color: 'colour only', shading: 'shading', texture: 'texture' } as const;
const name = 'figure-7';

/** Error of the mass over iterations of gradient descent, from films by colour only, with shading, with texture. */
export const figure7 = defineFigure<Settings, Found>({
  name,
  title: 'Mass by gradient descent, from films by colour only, with shading, with texture',
  study: new URL('../../../src/figures/cues/study.ts', import.meta.url),
  count: 20,
  quickCount: 2,
  published: [],
  draw: async (trials): Promise<Drawn> => {
    const iterations = Array.from({ length: CUE_DEFAULTS.iterations + 1 }, (_, k) => k);
    const lines: Line[] = [];
    const rows: FigureRow[] = [];
    for (const look of LOOKS) {
      const own = trials.filter(({ settings }) => settings.look === look);
      const found = own.flatMap((trial) => trial.found ?? []);
      if (found.length === 0) continue;
      const points = spreadOf(
        iterations,
        found.map(({ errors }) => errors),
      );
      lines.push({ panel: 'relative error of the mass', series: NAMES[look], points });
      // One that never comes near counts with all iterations.
      const counts = found.map(({ iterations: after }) => after ?? CUE_DEFAULTS.iterations);
      const [low, middle, high] = quartilesOf(counts);
      rows.push({
        table: name,
        row: `iterations until the mass is within 1e-3, ${NAMES[look]}`,
        n: own.length,
        measured: middle,
        quartiles: [low, high],
        published: null,
        trusted: null,
        flaggedOfWrong: null,
        seconds: median(found.map(({ seconds }) => seconds)),
      });
    }
    return {
      rows,
      curves: lines,
      spec: linePanels({
        lines,
        xTitle: 'iterations',
        yTitle: 'relative error',
        isLog: true,
        floor: 1e-7,
        columns: 1,
        width: 520,
        height: 260,
      }),
    };
  },
});
