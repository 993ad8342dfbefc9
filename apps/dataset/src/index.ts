export type { Shape } from './shapes/cage.ts';
export { PART_COLORS, SHAPE_NAMES, SHAPES, type ShapeName } from './shapes/shapes.ts';
