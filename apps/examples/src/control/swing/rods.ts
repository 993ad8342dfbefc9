/** Length of each of the two rods, m. */
export const LENGTH = 0.5;
/** Mass of each of the two rods, kg. */
export const MASS = 1;
/** Number of substeps per second. */
export const RATE = 200;
/** Number of substeps from one action of the controller to the next. */
export const SUBSTEPS_PER_CONTROL = 5;
/** Number of actions of the controller per second. */
export const CONTROL_RATE = RATE / SUBSTEPS_PER_CONTROL;
/** Maximum torque of each joint's motor, N m: less than 9.8 and 2.5, which would hold the rods horizontally. */
export const TORQUES = [4, 1.5] as const;
