// What other packages of gradsim share with `grid` and `neighbours`.
export { componentsOf, pointOf } from './grid/values.ts';
export type { GridSizes, PointGrid } from './neighbours/grid.ts';
export { bucketCount as bucketsFor, bucketOfPoint, levelsOf, mergeRuns, startOfBucket } from './neighbours/grid.ts';
export type { Grid, List, OfWorld, Places } from './neighbours/lists.ts';
export {
  append,
  elementsOf,
  emptyList,
  excessTravelRecord as strayedBy,
  forEachClosePoint as overClose,
  gridIn,
  overflowRecord as crowdedBy,
} from './neighbours/lists.ts';
export type { SearchMargins as Margins } from './neighbours/margins.ts';
export { marginsOf } from './neighbours/margins.ts';
