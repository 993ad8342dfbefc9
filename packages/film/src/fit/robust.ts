/**
 * Weight of a residual: 1 for 0, a quarter at the scale, near 0 beyond. Source: S. Geman and D. McClure, 1987; see F.
 * Hampel and others, 1986.
 *
 * @param square of the residual.
 */
export const robustWeight = (square: number, scale: number): number => 1 / (1 + square / scale ** 2) ** 2;
