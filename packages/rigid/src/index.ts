export { Gravity } from '@gradsim/physics';
export type { InertiaTensor } from './body.ts';
export { Body, BodyPush } from './body.ts';
export type { RigidOptions } from './plugin.ts';
export { rigid } from './plugin.ts';
