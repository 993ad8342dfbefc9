import { defineStudy, grid, seeds } from 'gradsim/study';
import { massCurves } from './mass-curves.ts';

/** Study of the loss landscape over the mass with fewer frames: a trial for each push. */
export default defineStudy({
  trials: ({ count = '20' }) => grid({ instance: seeds(Number(count)) }),
  run: ({ instance }) => massCurves(instance),
});
