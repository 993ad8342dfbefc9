import type { Drawn } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import { blendGrid } from './chart.ts';
import type { Found, Settings } from './study.ts';

const name = 'figure-3';
const SCENES = { beam: 'deformable: beam', toss: 'rigid: box' } as const;

/** Motions at the start, at the estimate and in the film, blended over time. */
export const figure3 = defineFigure<Settings, Found>({
  name,
  title: 'Estimation: start, estimate and film, blended over time',
  study: new URL('../../../src/figures/blends/study.ts', import.meta.url),
  count: 1,
  quickCount: 1,
  published: [],
  draw: async (trials): Promise<Drawn> => {
    const found = trials.flatMap(({ settings: { scene }, found }) => (found ? [{ scene, ...found }] : []));
    return {
      rows: found.flatMap(({ scene, errors, trusted, seconds }) =>
        Object.entries(errors).map(([unknown, error]) => ({
          table: name,
          row: `${SCENES[scene]}, relative error of ${unknown}`,
          n: 1,
          measured: error,
          quartiles: null,
          published: null,
          trusted: Number(trusted),
          flaggedOfWrong: null,
          seconds,
        })),
      ),
      curves: [],
      spec: blendGrid(
        found.flatMap(({ scene, start, estimate, film }) => [
          { row: SCENES[scene], column: 'start', picture: start },
          { row: SCENES[scene], column: 'estimate', picture: estimate },
          { row: SCENES[scene], column: 'film', picture: film },
        ]),
      ),
    };
  },
});
