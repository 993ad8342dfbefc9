export { Gravity, gravity } from '@gradsim/dynamics';
export type { InertiaTensor } from './body.ts';
export { Body, BodyPush } from './body.ts';
export { BodyVertex } from './motion.ts';
export type { RigidOptions } from './plugin.ts';
export { rigid } from './plugin.ts';
