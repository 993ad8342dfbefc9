/** Length of each of the two rods, m. */
export const LENGTH = 0.5;
/** Mass of each of the two rods, kg. */
export const MASS = 1;
/** Substeps a second. */
export const RATE = 200;
/** Substeps between two actions of the controller. */
export const EVERY = 5;
/** Actions of the controller a second. */
export const CONTROL_RATE = RATE / EVERY;
/** Maximum torques of both joints' motors, N m: less than holding the rods horizontally takes, 9.8 and 2.5. */
export const TORQUES = [4, 1.5] as const;
