import { secondsSince } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import { OBJECTS, randomToss, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { filmModel } from '@gradsim/film';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { defineStudy, grid, seeds } from 'gradsim/study';
import { FACTORS, SEARCHES } from './searches.ts';
import type { Found } from './table.ts';

/** Ratio between the initial value and either end of the search range. */
const MAX_START_FACTOR = 1000;
/** Relative error of an estimate below which the true value counts as found. */
const MAX_FOUND_ERROR = 1e-4;

/**
 * Study of whether the mass of tossed objects is found from initial values off by factors of 2 to 100, with different
 * searches.
 */
export default defineStudy({
  trials: ({ count = '20' }) =>
    grid({ instance: seeds(Number(count)), factor: FACTORS, search: Object.keys(SEARCHES) }),
  run: async ({ instance, factor, search }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const shapes = Object.keys(OBJECTS);
      const toss = randomToss(randomNumbers(4000 + instance), shapes[instance % shapes.length], 64);
      const model = tossModel(toss);
      const film = await filmModel(model, TOSS_TIMELINE, { device });
      const initial = toss.mass * factor ** (instance % 2 === 0 ? 1 : -1);
      const { problem } = film.stage(model, {
        name: 'mass',
        parameters: [
          {
            name: 'mass',
            field: Body.mass,
            transform: 'log',
            initial,
            range: [initial / MAX_START_FACTOR, initial * MAX_START_FACTOR],
            unit: 'kg',
            truth: toss.mass,
          },
        ],
        options: { search: SEARCHES[search] },
      });
      const began = process.cpuUsage();
      const { parameters, verdict } = await estimate(problem, { device });
      const seconds = secondsSince(began);
      const error = Math.abs(parameters.mass.estimate / toss.mass - 1);
      return { error, found: error < MAX_FOUND_ERROR, trusted: verdict.trusted, seconds };
    } finally {
      device.dispose();
    }
  },
});
