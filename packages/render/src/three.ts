/** One value for each corner, or for each edge. Edge k goes from corner k to the next one. */
export type Three<T> = readonly [T, T, T];

/** Evaluates a function for each corner or edge. */
export const three = <T>(make: (k: 0 | 1 | 2) => T): Three<T> => [make(0), make(1), make(2)];
