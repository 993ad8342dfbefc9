export type { Color, Look, Pattern } from './looks.ts';
export { type ReadDatasetOptions, readDataset, type Sample } from './read-dataset.ts';
export { REASONS, type Reason } from './rigid/judge.ts';
export {
  FILM,
  PUSH_SECONDS,
  type RigidScene,
  type SceneModelOptions,
  sceneMass,
  sceneMesh,
  sceneModel,
} from './rigid/scene.ts';
export type { IndexLine, SampleRecord, Split } from './sample.ts';
export type { Shape } from './shapes/cage.ts';
export { PART_COLORS, SHAPE_NAMES, SHAPES, type ShapeName } from './shapes/shapes.ts';
