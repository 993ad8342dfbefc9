import { integrate } from './extrapolation.ts';

/** A slender horizontal prismatic beam, clamped at one end and straight without load. */
export interface Cantilever {
  /** Length, width and vertical thickness, m. */
  readonly length: number;
  readonly width: number;
  readonly thickness: number;
  /** Density, kg/m^3. */
  readonly density: number;
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Damping ratio of the first mode; ratios of higher modes grow with their frequency, as with a material's viscosity. */
  readonly dampingRatio: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
}

/** First four roots b L of the frequency equation cos(b L) cosh(b L) = -1. */
export const MODES = [1, 2, 3, 4].map((n) => {
  // Near (n - 1/2) pi; Newton's method for cos z + 1 / cosh z.
  let z = (n - 0.5) * Math.PI + (n === 1 ? 0.3 : 0);
  for (let k = 0; k < 20; k++) {
    const slope = -Math.sin(z) - Math.sinh(z) / Math.cosh(z) ** 2;
    z -= (Math.cos(z) + 1 / Math.cosh(z)) / slope;
  }
  return z;
});

/**
 * Angular frequency of a mode at small deflection, rad/s, from its root b L: (b L)^2 sqrt(E I / (rho A L^4)), with I / A =
 * thickness^2 / 12.
 */
export const angularFrequency = (z: number, { length, thickness, density, youngsModulus }: Cantilever): number =>
  (z ** 2 * Math.sqrt((youngsModulus * thickness ** 2) / 12 / density)) / length ** 2;

/** Intervals along the beam at whose ends its centre line is computed. */
const STATIONS = 48;

/** Slopes of the modes' shapes along the beam, per length, at the ends and middles of the intervals; the squares of the shapes have the mean 1. */
const SLOPES = Array.from({ length: 2 * STATIONS + 1 }, (_, k) => MODES.map((z) => slopeOfMode(z, k / 2 / STATIONS)));

/** Time between states that are kept, s; the centre line is interpolated between them. */
const STEP = 1 / 960;

/** Point of the centre line: forwards and upwards from the clamp, m, and its slope there. */
export type LinePoint = readonly [x: number, y: number, slope: number];

/**
 * Motion of the beam after it is released at time 0, straight and at rest. It bends in its plane by any angle, without a
 * change of length and without shear (Euler's elastica, with the damping of Kelvin and Voigt): its angle against the
 * horizontal is a sum of the slopes of the first modes, and Lagrange's equations hold for their amounts. A sag of 2 % of the
 * length lowers the frequency by 0.04 % of that at small deflection.
 *
 * @param seconds duration, s.
 * @returns function of the time, s, that returns the centre line at equal distances along it. Before time 0 the beam is
 * straight.
 */
export function cantilever(beam: Cantilever, seconds: number): (time: number) => LinePoint[] {
  const frequencies = MODES.map((z) => angularFrequency(z, beam));
  const count = MODES.length;
  const rate = (state: readonly number[]): number[] => [
    ...state.slice(count),
    ...accelerations(state.slice(0, count), state.slice(count), beam, frequencies),
  ];
  // Amounts of the modes, dimensionless, then their rates, 1/s.
  let state = Array.from({ length: 2 * count }, () => 0);
  const states = [state];
  while ((states.length - 1) * STEP < seconds) {
    state = integrate(rate, state, STEP, 1e-9);
    states.push(state);
  }
  return (time) => {
    const at = Math.min(Math.max(time, 0) / STEP, states.length - 1);
    const k = Math.min(Math.floor(at), states.length - 2);
    const [from, to] = [states[k], states[k + 1]];
    return lineOf(
      MODES.map((_, i) => hermite(at - k, [from[i], STEP * from[count + i]], [to[i], STEP * to[count + i]])),
      beam.length,
    );
  };
}

/** Cubic between two values with their slopes, at a part of the way. */
function hermite(part: number, [a, da]: readonly number[], [b, db]: readonly number[]): number {
  const rest = 1 - part;
  return (a * (1 + 2 * part) + da * part) * rest ** 2 + (b * (3 - 2 * part) - db * rest) * part ** 2;
}

/**
 * Second derivatives of the modes' amounts q by the time, 1/s^2: M q'' + h = -w^2 q - 2 z w^2 / w_1 q' - g / L d(mean y) / dq.
 * The modes' curvatures are orthogonal, so that bending and damping have no terms between modes. M is the mean along the beam
 * of the products of the derivatives of a point's position by q, h of those with its acceleration at constant q'; lengths in those of the beam.
 */
function accelerations(
  amounts: readonly number[],
  rates: readonly number[],
  beam: Cantilever,
  frequencies: readonly number[],
): number[] {
  const count = MODES.length;
  const damping = (2 * beam.dampingRatio) / frequencies[0];
  const matrix = amounts.map((amount, i) => {
    const row = new Float64Array(count + 1);
    row[count] = -(frequencies[i] ** 2) * (amount + damping * rates[i]);
    return row;
  });
  // Of a point: derivatives of its position by q, and its acceleration at constant q'.
  const [x, y] = [new Float64Array(count + 1), new Float64Array(count + 1)];
  const panels = STATIONS / 2;
  for (let panel = 0; panel <= panels; panel++) {
    // Simpson's rule, along a panel for a point's position, and along all panels for the means.
    if (panel > 0)
      for (const [k, weight] of [
        [4 * panel - 4, 1],
        [4 * panel - 2, 4],
        [4 * panel, 1],
      ]) {
        const [sine, cosine] = directionAt(k, amounts);
        const part = weight / 6 / panels;
        let turn = 0;
        for (let i = 0; i < count; i++) {
          x[i] -= part * sine * SLOPES[k][i];
          y[i] += part * cosine * SLOPES[k][i];
          turn += rates[i] * SLOPES[k][i];
        }
        x[count] -= part * cosine * turn ** 2;
        y[count] -= part * sine * turn ** 2;
      }
    const weight = (panel === 0 || panel === panels ? 1 : panel % 2 ? 4 : 2) / 3 / panels;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) matrix[i][j] += weight * (x[i] * x[j] + y[i] * y[j]);
      matrix[i][count] -= weight * (x[i] * x[count] + y[i] * (y[count] + beam.gravity / beam.length));
    }
  }
  return solved(matrix);
}

/** Sine and cosine of the centre line's angle at one of the places of {@link SLOPES}. */
function directionAt(place: number, amounts: readonly number[]): [sine: number, cosine: number] {
  let angle = 0;
  for (let i = 0; i < MODES.length; i++) angle += amounts[i] * SLOPES[place][i];
  return [Math.sin(angle), Math.cos(angle)];
}

/** Solution of equations whose matrix is symmetric and positive, the right side its last column. */
function solved(matrix: readonly Float64Array[]): number[] {
  const count = matrix.length;
  for (let i = 0; i < count; i++)
    for (let row = i + 1; row < count; row++) {
      const factor = matrix[row][i] / matrix[i][i];
      for (let column = i; column <= count; column++) matrix[row][column] -= factor * matrix[i][column];
    }
  const solution = Array.from({ length: count }, () => 0);
  for (let i = count - 1; i >= 0; i--) {
    let rest = matrix[i][count];
    for (let j = i + 1; j < count; j++) rest -= matrix[i][j] * solution[j];
    solution[i] = rest / matrix[i][i];
  }
  return solution;
}

/** Centre line of a beam from the amounts of its modes. */
function lineOf(amounts: readonly number[], length: number): LinePoint[] {
  const part = length / STATIONS / 6;
  let [x, y] = [0, 0];
  return Array.from({ length: STATIONS + 1 }, (_, k) => {
    const [sine, cosine] = directionAt(2 * k, amounts);
    if (k > 0) {
      const [before, middle] = [directionAt(2 * k - 2, amounts), directionAt(2 * k - 1, amounts)];
      x += part * (before[1] + 4 * middle[1] + cosine);
      y += part * (before[0] + 4 * middle[0] + sine);
    }
    return [x, y, sine / cosine] as const;
  });
}

/** Derivative by x, from 0 to 1, of the mode shape cosh y - cos y - s (sinh y - sin y) at y = z x. */
function slopeOfMode(z: number, x: number): number {
  const y = z * x;
  // s = (cosh z + cos z) / (sinh z + sin z), and 1 - s without cancellation.
  const below = Math.sinh(z) + Math.sin(z);
  const ratio = (Math.cosh(z) + Math.cos(z)) / below;
  const rest = (Math.sin(z) - Math.cos(z) - Math.exp(-z)) / below;
  // sinh y - s cosh y = -e^-y + (1 - s) cosh y
  return z * (-Math.exp(-y) + rest * Math.cosh(y) + Math.sin(y) + ratio * Math.cos(y));
}
