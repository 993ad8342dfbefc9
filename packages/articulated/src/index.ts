export { Gravity } from '@gradsim/physics';
export type { BeamOptions, BeamSize } from './beam.ts';
export { addBeam, beamFrequency, beamHinge } from './beam.ts';
export type { JointKind } from './link.ts';
export { Link } from './link.ts';
export { articulated } from './plugin.ts';
export type { TieKind } from './ties.ts';
export { Tie, ties } from './ties.ts';
