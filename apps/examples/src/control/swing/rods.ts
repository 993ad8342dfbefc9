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
/** The most that motors of both joints give, N m: less than holding the rods out takes, 9.8 and 2.5. */
export const TORQUES = [4, 1.5] as const;
