export type { SpringOptions } from './add-springs.ts';
export { addSprings } from './add-springs.ts';
export type { SpringLook } from './draw.ts';
export type { SpringsOptions } from './plugin.ts';
export { springs } from './plugin.ts';
export { Spring } from './spring.ts';
