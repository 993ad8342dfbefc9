// What other packages of gradsim share with `grid` and `neighbours`.
export { componentsOf, pointOf } from './grid/values.ts';
export type { GridSizes, PointGrid } from './neighbours/grid.ts';
export { bucketOfPoint, bucketsFor, levelsOf, mergeRuns, startOfBucket } from './neighbours/grid.ts';
export type { Grid, List, OfWorld, Places } from './neighbours/lists.ts';
export { append, crowdedBy, elementsOf, emptyList, gridIn, overClose, strayedBy } from './neighbours/lists.ts';
export type { Margins } from './neighbours/margins.ts';
export { marginsOf } from './neighbours/margins.ts';
