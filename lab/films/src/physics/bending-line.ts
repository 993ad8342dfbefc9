import { integrate } from './extrapolation.ts';

/** A line that bends in its plane by any angle, and does not become longer or shear: a beam, a string. */
export interface BendingLine {
  readonly length: number;
  /**
   * Slopes of the shapes whose sum its angle is, per length, at {@link LINE_PLACES}: its angle against the x axis at a place is the
   * sum of the amounts of the shapes times these.
   */
  readonly slopes: readonly (readonly number[])[];
  /** Amounts of the shapes at time 0, and their rates, 1/s. */
  readonly start: readonly number[];
  readonly startRates: readonly number[];
  /** Acceleration of gravity along x and y, m/s^2. */
  readonly gravity: readonly [number, number];
  /** Force of bending and of its damping on a shape, for a line of mass 1 and length 1, 1/s^2. Default: none. */
  readonly resist?: (shape: number, amount: number, rate: number) => number;
  /** Damping c by the air, which pulls on each point with -2 c times its mass and velocity, 1/s. Default 0. */
  readonly damping?: number;
}

/** Point of the line: along x and y from its held end, m, and its slope there. */
export type LinePoint = readonly [x: number, y: number, slope: number];

/** Intervals along the line at whose ends it is computed. */
const STATIONS = 48;
/** Places along the line, in parts of its length: ends and middles of the intervals. */
export const LINE_PLACES: readonly number[] = Array.from({ length: 2 * STATIONS + 1 }, (_, k) => k / 2 / STATIONS);
/** Time between states that are kept, s; the line is interpolated between them. */
const STEP = 1 / 960;

/**
 * Motion of a line whose end at the origin is held. Lagrange's equations hold for the amounts of its shapes.
 *
 * @param seconds duration, s.
 * @returns function of the time, s, that returns the line at equal distances along it. Before time 0 it is as it starts.
 */
export function bendingLine(line: BendingLine, seconds: number): (time: number) => LinePoint[] {
  const { start, startRates, slopes, length } = line;
  const count = start.length;
  const rate = (state: readonly number[]): number[] => [
    ...state.slice(count),
    ...accelerations(line, state.slice(0, count), state.slice(count)),
  ];
  let state = [...start, ...startRates];
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
      slopes,
      start.map((_, i) => hermite(at - k, [from[i], STEP * from[count + i]], [to[i], STEP * to[count + i]])),
      length,
    );
  };
}

/** Cubic between two values with their slopes, at a part of the way. */
function hermite(part: number, [a, da]: readonly number[], [b, db]: readonly number[]): number {
  const rest = 1 - part;
  return (a * (1 + 2 * part) + da * part) * rest ** 2 + (b * (3 - 2 * part) - db * rest) * part ** 2;
}

/**
 * Second derivatives of the amounts q by the time, 1/s^2: M (q'' + 2 c q') + h = f + g / L d(mean place) / dq, with f the
 * resistance. M is the mean along the line of the products of the derivatives of a point's position by q, h of those with its
 * acceleration at constant q'; lengths in those of the line.
 */
function accelerations(
  { length, slopes, gravity: [gx, gy], resist, damping = 0 }: BendingLine,
  amounts: readonly number[],
  rates: readonly number[],
): number[] {
  const count = amounts.length;
  const matrix = amounts.map((amount, i) => {
    const row = new Float64Array(count + 1);
    row[count] = resist?.(i, amount, rates[i]) ?? 0;
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
        const [sine, cosine] = directionOf(slopes[k], amounts);
        const part = weight / 6 / panels;
        let turn = 0;
        for (let i = 0; i < count; i++) {
          x[i] -= part * sine * slopes[k][i];
          y[i] += part * cosine * slopes[k][i];
          turn += rates[i] * slopes[k][i];
        }
        x[count] -= part * cosine * turn ** 2;
        y[count] -= part * sine * turn ** 2;
      }
    const weight = (panel === 0 || panel === panels ? 1 : panel % 2 ? 4 : 2) / 3 / panels;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) matrix[i][j] += weight * (x[i] * x[j] + y[i] * y[j]);
      matrix[i][count] -= weight * (x[i] * (x[count] - gx / length) + y[i] * (y[count] - gy / length));
    }
  }
  return solved(matrix).map((acceleration, i) => acceleration - 2 * damping * rates[i]);
}

/** Sine and cosine of the line's angle at a place of these slopes. */
function directionOf(slopes: readonly number[], amounts: readonly number[]): [sine: number, cosine: number] {
  let angle = 0;
  for (let i = 0; i < amounts.length; i++) angle += amounts[i] * slopes[i];
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

/** Line from the amounts of its shapes. */
function lineOf(slopes: BendingLine['slopes'], amounts: readonly number[], length: number): LinePoint[] {
  const part = length / STATIONS / 6;
  let [x, y] = [0, 0];
  return Array.from({ length: STATIONS + 1 }, (_, k) => {
    const [sine, cosine] = directionOf(slopes[2 * k], amounts);
    if (k > 0) {
      const [before, middle] = [directionOf(slopes[2 * k - 2], amounts), directionOf(slopes[2 * k - 1], amounts)];
      x += part * (before[1] + 4 * middle[1] + cosine);
      y += part * (before[0] + 4 * middle[0] + sine);
    }
    return [x, y, sine / cosine] as const;
  });
}
