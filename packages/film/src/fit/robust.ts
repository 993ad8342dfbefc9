/**
 * Weight of a residual: 1 for a residual of 0, a quarter at `scale`, near 0 far beyond. Source: S. Geman and D.
 * McClure, 1987; see F. Hampel and others, 1986.
 *
 * @param square the squared residual.
 */
export const robustWeight = (square: number, scale: number): number => 1 / (1 + square / scale ** 2) ** 2;
