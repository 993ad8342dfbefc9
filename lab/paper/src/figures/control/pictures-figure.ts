import type { ControlName } from '@gradsim/examples';
import { blendGrid } from '../blends/chart.ts';
import type { Drawn } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import { CONTROL_STUDY, controlRow, TITLES } from './figure.ts';
import type { Found, Settings } from './study.ts';

const name = 'figure-5';

/** Control from one image: the motion at the start and as found, blended over time, and the goal; of the first seed. */
export const figure5 = defineFigure<Settings, Found>({
  name,
  title: 'Control: start, found motion and goal, blended over time',
  ...CONTROL_STUDY,
  published: [],
  draw: async (trials): Promise<Drawn> => {
    const own = trials.filter(({ settings: { by, instance } }) => by === 'image' && instance === 1);
    const shown = own.flatMap(({ settings: { task }, found }) => (found ? [{ task, found }] : []));
    return {
      rows: shown.map(({ task, found }) => controlRow(name, task, 'image', 1, [found], undefined)),
      curves: [],
      spec: blendGrid(
        shown.flatMap(({ task, found: { pictures } }) =>
          Object.entries(pictures ?? {}).map(([column, picture]) => ({ row: titleOf(task), column, picture })),
        ),
      ),
    };
  },
});

const titleOf = (task: ControlName): string => TITLES[task];
