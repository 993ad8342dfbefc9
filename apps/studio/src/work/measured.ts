import type { Value } from '../../../../packages/gradsim/src/new/measured.ts';

/** Measurements of the current estimation, in place of the module `measured.ts` of an experiment's folder. */
export const measured: Record<string, Value> = {};
