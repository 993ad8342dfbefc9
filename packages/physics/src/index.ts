export { fixed } from './fixed.ts';
export { addGravity, Gravity, gravity } from './gravity.ts';
export type { IntegratorOptions } from './integrator.ts';
export { movesItself } from './integrator.ts';
export { once } from './once.ts';
export { orientation, unitOrientation } from './orientation.ts';
export { checkPush, push } from './push.ts';
export { BodiesThatTouch, PointsThatTouch } from './touching.ts';
export { coveredPart } from './window.ts';
