import { median } from '@gradsim/base';
import type { Drawn, FigureRow } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import type { Line } from '../lines.ts';
import { linePanels } from '../lines.ts';
import { quartilesOf } from '../spread.ts';
import { minimaOf } from './false-minima.ts';
import { FRAMES_STUDY, MASS_PANELS } from './frames-figure.ts';
import type { MassFound } from './mass-curves.ts';
import { reinforceView } from './reinforce-view.ts';

const name = 'figure-11';
/** Number of pushes that are drawn. */
const SHOWN = 2;

interface Settings {
  readonly instance: number;
}

/** The loss over the mass, and what REINFORCE sees of it with the paper's settings. */
export const figure11 = defineFigure<Settings, MassFound>({
  name,
  title: 'Loss over the mass, and as REINFORCE sees it',
  ...FRAMES_STUDY,
  published: [],
  draw: async (trials): Promise<Drawn> => {
    const views = trials.flatMap(({ settings: { instance }, found }) => {
      if (!found) return [];
      const own = found.curves.find((curve) => curve.name === 'losses_skip1')!;
      return [{ instance, own, seconds: found.seconds, ...reinforceView(own, found.truth, instance) }];
    });
    const lines = views.slice(0, SHOWN).flatMap(({ instance, own, points }): Line[] => {
      const panel = `push ${instance}`;
      return [
        { panel, series: 'loss', points: own.values.map((x, k) => ({ x, y: own.losses[k] })) },
        { panel, series: 'mean of five draws', points, isScatter: true },
      ];
    });
    const row = (text: string, values: readonly number[]): FigureRow[] => {
      if (values.length === 0) return [];
      const [low, middle, high] = quartilesOf(values);
      const seconds = median(views.map((view) => view.seconds));
      const verdict = { published: null, trusted: null, flaggedOfWrong: null };
      return [
        { table: name, row: text, n: views.length, measured: middle, quartiles: [low, high], ...verdict, seconds },
      ];
    };
    const minima = (losses: readonly number[]): number => minimaOf([losses]).length;
    return {
      rows: [
        ...row(
          'share of steps of REINFORCE that lead away from the truth',
          views.map(({ wrong }) => wrong),
        ),
        ...row(
          'minima of the loss',
          views.map(({ own }) => minima(own.losses)),
        ),
        ...row(
          'minima as REINFORCE sees it',
          views.map(({ points }) => minima(points.map(({ y }) => y))),
        ),
      ],
      curves: lines,
      spec: linePanels({ lines, ...MASS_PANELS }),
    };
  },
});
