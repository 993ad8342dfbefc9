import { bendingLine, LINE_PLACES, type LinePoint } from './bending-line.ts';

/** A chain that hangs from one end, bends freely, and is braked by the air. */
export interface HangingChain {
  readonly length: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
  /** Damping c: its swings become smaller as exp(-c t), 1/s. */
  readonly damping: number;
  /** Amounts of the Legendre polynomials of its angle along it at time 0, rad, and their rates, rad/s. */
  readonly start: readonly number[];
  readonly startRates: readonly number[];
}

/** Number of Legendre polynomials of the angle along the chain. */
export const SHAPES = 7;

/** Legendre polynomials at places along the chain, from its upper end, by (k + 1) P_(k+1) = (2 k + 1) z P_k - k P_(k-1). */
const SLOPES = LINE_PLACES.map((place) => {
  const z = 2 * place - 1;
  const all = [1, z];
  for (let k = 1; k + 1 < SHAPES; k++) all.push(((2 * k + 1) * z * all[k] - k * all[k - 1]) / (k + 1));
  return all;
});

/**
 * Motion of a chain that swings in a plane by any angle; x points down, y to the side.
 *
 * @param seconds duration, s.
 * @returns function of the time, s, that returns the chain at equal distances along it.
 */
export const hangingChain = (
  { length, gravity, damping, start, startRates }: HangingChain,
  seconds: number,
): ((time: number) => LinePoint[]) =>
  bendingLine({ length, slopes: SLOPES, start, startRates, gravity: [gravity, 0], damping }, seconds);
