import { GradsimError } from '@gradsim/core';
/** A mass on a spring with a damper: its stiffness, damping and mass. */
export interface Oscillator {
  /** Spring constant, N/m. */
  readonly stiffness: number;
  /** Damping coefficient, N s/m. */
  readonly damping: number;
  /** Mass, kg. */
  readonly mass: number;
}

/** A damped oscillation: its frequency and its logarithmic decrement. */
export interface Oscillation {
  /** Frequency of the damped oscillation, Hz: sqrt(1 - z^2) sqrt(k / m) / (2 pi), with the damping ratio z. */
  readonly frequency: number;
  /** Natural logarithm of the ratio of successive amplitudes: 2 pi z / sqrt(1 - z^2), with the damping ratio z. */
  readonly logarithmicDecrement: number;
}

/**
 * Computes frequency and logarithmic decrement of an oscillator with the damping ratio z = c / (2 sqrt(k m)). For
 * derived values of an estimate; of any other vibrating system, pass its modal stiffness, damping and mass.
 *
 * @throws when stiffness or mass are not above 0, the damping is below 0, or so large that nothing swings.
 */
export function oscillationOf({ stiffness, damping, mass }: Oscillator): Oscillation {
  if (!(stiffness > 0 && mass > 0 && damping >= 0))
    throw new GradsimError(
      'dynamics/value-out-of-range',
      `The oscillator has the stiffness ${stiffness}, the damping ${damping} and the mass ${mass}.`,
      { hint: 'They must be above 0, the damping at least 0.' },
    );
  const z = dampingRatioOf({ stiffness, damping, mass });
  if (!(z < 1)) throw new GradsimError('dynamics/overdamped', `The damping ratio is ${z}; from 1 on nothing swings.`);
  const root = Math.sqrt(1 - z * z);
  return {
    frequency: (root * Math.sqrt(stiffness / mass)) / (2 * Math.PI),
    logarithmicDecrement: (2 * Math.PI * z) / root,
  };
}

/**
 * Computes stiffness and damping from an oscillation and the mass, kg: the inverse of {@link oscillationOf}, for ties
 * of an estimate.
 *
 * @throws when frequency or mass are not above 0, or the decrement is below 0.
 */
export function oscillatorOf({ frequency, logarithmicDecrement: decrement }: Oscillation, mass: number): Oscillator {
  if (!(frequency > 0 && mass > 0 && decrement >= 0))
    throw new GradsimError(
      'dynamics/value-out-of-range',
      `The oscillation has the frequency ${frequency} and the logarithmic decrement ${decrement}, and the mass is ${mass}.`,
      { hint: 'They must be above 0, the decrement at least 0.' },
    );
  const z = decrement / Math.hypot(2 * Math.PI, decrement);
  const w = (2 * Math.PI * frequency) / Math.sqrt(1 - z * z);
  return { stiffness: mass * w * w, damping: 2 * z * mass * w, mass };
}

/** Damping ratio z = c / (2 sqrt(k m)). */
const dampingRatioOf = ({ stiffness, damping, mass }: Oscillator): number =>
  damping / (2 * Math.sqrt(stiffness * mass));
