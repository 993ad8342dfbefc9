import type { Primitive } from '../form/nodes.ts';
import * as all from './index.ts';

/** All operations: the exports of the files listed there. */
export const PRIMITIVES: readonly Primitive[] = Object.values(all);
