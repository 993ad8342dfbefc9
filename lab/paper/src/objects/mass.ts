import { objectStudy } from './study.ts';

/** Study of Table 1: mass from a film with a known impulse. */
export default objectStudy(['mass']);
