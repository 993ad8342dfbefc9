export { Drag } from './component.ts';
export { dampingOfDrag, dragForce } from './kernels.ts';
export { drag } from './plugin.ts';
