import type { Primitive } from '../form/nodes.ts';
import * as all from './index.ts';

/** Every operation that there is: what each of the files named there exports. */
export const PRIMITIVES: readonly Primitive[] = Object.values(all);
