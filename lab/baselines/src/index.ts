export { CONV_NET_ROWS, convNetRows, readConvNetRows } from './conv-net-rows.ts';
export { coordinateAt, FilmLosses, type RangedField, valueAt } from './film-losses.ts';
export { type ErrorsAndVerdict, type MeasuredEstimate, measure, secondsSince } from './measured.ts';
export { type Instance, isWrong, type MeasuredRow, measuredRow, shareOf } from './measured-row.ts';
export type { BestPoint, BlackBox, Point, SearchFrom } from './searches/black-box.ts';
export { type CmaEsOptions, cmaEs } from './searches/cma-es.ts';
export { type RandomSearchOptions, randomSearch } from './searches/random-search.ts';
export {
  REINFORCE_OF_THE_PAPER,
  REINFORCE_TUNED,
  type ReinforceSettings,
  reinforce,
} from './searches/reinforce.ts';
export { SimulationCount } from './simulation-count.ts';
export { statesOf } from './states.ts';
