// What other packages of gradsim share with `grid` and `neighbours`.
export { componentsOf, pointOf } from './grid/values.ts';
export type { GridSizes, PointGrid } from './neighbours/grid.ts';
export { bucketCount, bucketOfPoint, levelsOf, mergeRuns, startOfBucket } from './neighbours/grid.ts';
export type { Grid, List, OfWorld, Places } from './neighbours/lists.ts';
export {
  append,
  elementsOf,
  emptyList,
  excessTravelRecord,
  forEachClosePoint,
  gridIn,
  overflowRecord,
} from './neighbours/lists.ts';
export type { SearchMargins } from './neighbours/margins.ts';
export { marginsOf } from './neighbours/margins.ts';
