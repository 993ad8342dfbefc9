/** Length, m, and mass, kg, of each of both rods. */
export const LENGTH = 0.5;
export const MASS = 1;
/** Substeps a second, and after how many of them the controller acts again. */
export const RATE = 200;
export const EVERY = 5;
export const CONTROL_RATE = RATE / EVERY;
/** The most that motors of both joints give, N m: less than holding the rods out takes, 9.8 and 2.5. */
export const TORQUES = [4, 1.5] as const;
