/** Of each of both rods, m and kg. */
export const LENGTH = 0.5;
export const MASS = 1;
/** Substeps a second, and after how many of them the controller acts again. */
export const RATE = 200;
export const EVERY = 5;
export const CONTROL_RATE = RATE / EVERY;
