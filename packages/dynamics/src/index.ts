export { fixed } from './fixed.ts';
export type { FreeSpin } from './free-spin.ts';
export { rotationChange, spinFreely } from './free-spin.ts';
export { addGravity, Gravity, gravity } from './gravity.ts';
export type { EdgeRule } from './grid/axis.ts';
export type { Grid, GridOptions, GridSize, PointOf } from './grid/grid.ts';
export { grid } from './grid/grid.ts';
export type { GridNode } from './grid/node.ts';
export type { Stencil, StencilNode } from './grid/stencil.ts';
export { pointMobilityRatio } from './held-point.ts';
export type { Integrator, IntegratorOptions } from './integrator.ts';
export { Integrators, isOwnIntegrator } from './integrator.ts';
export { kickDuration } from './kick.ts';
export { leastRateOf } from './least-rate.ts';
export { memoise } from './memoise.ts';
export type {
  Neighbour,
  NeighbourLoop,
  NeighbourOptions,
  NeighbourPoints,
  Neighbours,
} from './neighbours/neighbours.ts';
export { neighbours } from './neighbours/neighbours.ts';
export type { ReadersOf } from './on-each.ts';
export { readsOnElements } from './on-each.ts';
export { orientation, rotationStep, unitOrientation } from './orientation.ts';
export type { Oscillation, Oscillator } from './oscillator.ts';
export { oscillationOf, oscillatorOf } from './oscillator.ts';
export type { ForceInterval, MotionToState, Pressure, SubstepClock, Touch } from './pressure.ts';
export { depthInside, intervalOf, mayPress, motionToState, pressureOf } from './pressure.ts';
export { checkPush, push } from './push.ts';
export type { Composition, CompositionOptions } from './stages/compositions.ts';
export { forestRuth, leapfrog, symplectic } from './stages/compositions.ts';
export type { RungeKuttaOptions } from './stages/runge-kutta.ts';
export { rungeKutta } from './stages/runge-kutta.ts';
export type { Tableau } from './stages/tableau.ts';
export { classical, heun, midpoint, strongStability3, timeOfStage } from './stages/tableau.ts';
export type { LeapfrogMotion } from './touching.ts';
export { BodiesThatTouch, PointsThatTouch } from './touching.ts';
export { windowShare } from './window.ts';
