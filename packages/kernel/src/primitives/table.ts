import * as all from './index.ts';
import type { Primitive } from './primitive.ts';

/** Every operation that there is: what each of the files named there exports. */
export const PRIMITIVES: readonly Primitive[] = Object.values(all);
