import { baselineStudy } from './study.ts';

/** Study of the comparison methods of Table 1. */
export default baselineStudy(['mass']);
