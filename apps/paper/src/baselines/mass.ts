import { baselineStudy } from './study.ts';

/** Baselines of Table 1. */
export default baselineStudy(['mass']);
