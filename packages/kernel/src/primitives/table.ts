import type { Primitive } from '../form/nodes.ts';
import * as all from './index.ts';

/** All operations that this folder exports. */
export const PRIMITIVES: readonly Primitive[] = Object.values(all);
