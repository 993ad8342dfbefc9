export type { SpringOptions } from './add-springs.ts';
export { addSprings } from './add-springs.ts';
export { springForce } from './force.ts';
export { springs } from './plugin.ts';
export { Spring } from './spring.ts';
