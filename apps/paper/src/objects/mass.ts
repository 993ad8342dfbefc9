import { objectStudy } from './study.ts';

/** Table 1: mass from a known impulse. */
export default objectStudy(['mass']);
