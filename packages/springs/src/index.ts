export { springForce } from './force.ts';
export type { SpringLayout, SpringOptions } from './layouts.ts';
export { addSprings, chain, lattice, net } from './layouts.ts';
export { springs } from './plugin.ts';
export { Spring } from './spring.ts';
