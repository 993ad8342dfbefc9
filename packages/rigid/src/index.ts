export { Body, Push } from './body.ts';
export type { InertiaTensor } from './body.ts';
export { rigid } from './plugin.ts';
