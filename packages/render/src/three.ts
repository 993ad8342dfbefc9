/** One value for each corner, or for each edge. Edge k goes from corner k to the next one. */
export type Three<T> = readonly [T, T, T];

/** Calls a function for each corner or edge, and returns the three results. */
export const ofThree = <T>(create: (k: 0 | 1 | 2) => T): Three<T> => [create(0), create(1), create(2)];
