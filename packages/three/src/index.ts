export type { FixedSteps, FixedStepsOptions } from './fixed-steps.ts';
export { fixedSteps } from './fixed-steps.ts';
export type { SurfaceGeometries, SurfaceGeometriesOptions, SurfaceGeometry } from './surface-geometries.ts';
export { surfaceGeometries } from './surface-geometries.ts';
