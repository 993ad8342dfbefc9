import { boxes } from './box.ts';
import { capsules } from './capsule.ts';
import { meshes } from './mesh.ts';
import type { Shape } from './shape.ts';
import { spheres } from './sphere.ts';

/** All kinds of shape. Kernels tell those of a scene apart by their index here. */
export const SHAPES: readonly Shape[] = [spheres, capsules, boxes, meshes];
