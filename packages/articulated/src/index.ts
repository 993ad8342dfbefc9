export { Gravity } from '@gradsim/physics';
export type { JointKind } from './link.ts';
export { Link } from './link.ts';
export { articulated } from './plugin.ts';
export type { TieKind } from './ties.ts';
export { Tie, ties } from './ties.ts';
