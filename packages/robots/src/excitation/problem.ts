import { choleskyFactor, randomNumbers, solveByFactor, type Vector } from '@gradsim/base';
import { type BaseParameters, baseParameters } from '../logs/base-parameters.ts';
import { columnOrder } from '../logs/identify.ts';
import { parametersOfRobot } from '../logs/physical.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS, rigidRegressor } from '../logs/regressor.ts';
import type { Robot } from '../robot.ts';
import type { JointBounds } from './bounds.ts';
import { pullBack } from './pull-back.ts';
import type { MotionSamples, Series } from './series.ts';

/** Input of a search for an excitation. */
export interface ExcitationSetting {
  readonly bounds: readonly JointBounds[];
  /** Standard deviation of a sample of each joint's torque, N m or N. */
  readonly torqueNoise: readonly number[];
  /** Samples a second of the log. */
  readonly rate: number;
  readonly gravity: Vector;
  /** Rate at which dry friction reaches three quarters of its maximum, rad/s or m/s. */
  readonly frictionWidth: number;
}

/** The search for a motion whose log determines the parameters of a robot best, as a function of numbers. */
export interface ExcitationProblem {
  /** Coefficients of the series to begin with, drawn. */
  readonly start: Float64Array;
  /** Base parameters that the motion determines. */
  readonly base: BaseParameters;
  /**
   * Mean logarithm of the standard errors of the base parameters, plus `strictness` times the squares by which bounds are
   * exceeded, and the gradient.
   */
  readonly evaluate: (
    x: ArrayLike<number>,
    strictness: number,
  ) => { readonly loss: number; readonly gradient: Float64Array };
}

/** Size of the drawn start, as a part of what bounds leave. */
const START_SIZE = 0.5;

/**
 * Sets up the search for an excitation. The gradient goes back from the standard errors through their covariance, the
 * regressor ({@link pullBack}) and the series.
 */
export function excitationProblem(
  robot: Robot,
  series: Series,
  { bounds, torqueNoise, rate, gravity, frictionWidth }: ExcitationSetting,
  seed: number,
): ExcitationProblem {
  const { time, frequencies } = series;
  const joints = bounds.length;
  const size = frequencies.length + 1;
  const scales = amplitudesAtBounds(bounds, frequencies);
  const rigid = LINK_PARAMETERS.length * robot.links.length;
  const count = rigid + JOINT_PARAMETERS.length * joints;
  const parameters = parametersOfRobot(robot);
  const springs = robot.links.flatMap(({ values: { joint, stiffness = 0, restCoordinate = 0 } }) =>
    joint === 'fixed' ? [] : [{ stiffness, restCoordinate }],
  );
  const weights = torqueNoise.map((noise) => ((time[1] - time[0]) * rate) / noise ** 2);

  /** Rows of the regressor at a sample, those of the joints' own parameters with them. */
  const rowsAt = ({ positions, rates, accelerations }: MotionSamples, s: number) => {
    const at = { q: positions.map((x) => x[s]), v: rates.map((x) => x[s]), a: accelerations.map((x) => x[s]) };
    const rows = rigidRegressor(robot, at, gravity).map((row, j) => {
      const all = new Float64Array(count);
      all.set(row);
      all.set([at.a[j], at.v[j], Math.tanh(at.v[j] / frictionWidth)], rigid + JOINT_PARAMETERS.length * j);
      return all;
    });
    return { at, rows };
  };

  const random = randomNumbers(seed);
  const start = Float64Array.from({ length: joints * size }, (_, k) =>
    k % size === 0 ? 0 : (START_SIZE * (2 * random() - 1)) / Math.sqrt(frequencies.length / 2),
  );
  const base = baseParameters(normalOf(motionOfSeries(bounds, start, series).samples), columnOrder(robot));
  const { independent } = base;
  const unknowns = independent.length;

  function normalOf(samples: MotionSamples): Float64Array[] {
    const normal = Array.from({ length: count }, () => new Float64Array(count));
    for (let s = 0; s < time.length; s++)
      for (const [j, row] of rowsAt(samples, s).rows.entries())
        for (let p = 0; p < count; p++)
          if (row[p] !== 0) for (let r = 0; r < count; r++) normal[p][r] += weights[j] * row[p] * row[r];
    return normal;
  }

  const evaluate: ExcitationProblem['evaluate'] = (x, strictness) => {
    const { samples } = motionOfSeries(bounds, x, series);
    const all = Array.from(time, (_, s) => rowsAt(samples, s));
    const normal = Array.from({ length: unknowns }, () => new Float64Array(unknowns));
    for (const { rows } of all)
      for (const [j, row] of rows.entries())
        for (let i = 0; i < unknowns; i++) {
          const own = weights[j] * row[independent[i]];
          if (own !== 0) for (let k = 0; k <= i; k++) normal[i][k] += own * row[independent[k]];
        }
    const sizes = normal.map((row, i) => Math.sqrt(row[i]));
    const factor = choleskyFactor(normal.map((row, i) => row.map((y, k) => y / (sizes[i] * sizes[k]))));
    if (!factor) return { loss: Number.POSITIVE_INFINITY, gradient: new Float64Array(x.length) };
    // Columns of the covariance of the scaled parameters; variance is C_ii, and d log C_ii = -(C dM C)_ii / C_ii.
    const covariance = sizes.map((_, i) =>
      solveByFactor(
        factor,
        sizes.map((__, k) => (k === i ? 1 : 0)),
      ),
    );
    const loss = covariance.reduce((sum, row, i) => sum + Math.log(row[i]) / 2 - Math.log(sizes[i]), 0) / unknowns;
    const slope = covariance.map((row, i) =>
      row.map((_, k) => {
        let sum = 0;
        for (let m = 0; m < unknowns; m++) sum -= (covariance[m][i] * covariance[m][k]) / covariance[m][m];
        return sum / (2 * unknowns * sizes[i] * sizes[k]);
      }),
    );
    let exceeded = 0;
    const gradient = new Float64Array(x.length);
    const part = strictness / time.length;
    /** Derivative of the penalty for a quantity beyond a bound, by it; adds the penalty. */
    const beyond = (value: number, most: number): number => {
      const by = Math.abs(value) / most - 1;
      if (!(by > 0)) return 0;
      exceeded += part * by * by;
      return (2 * part * by * Math.sign(value)) / most;
    };
    for (const [s, { at, rows }] of all.entries()) {
      const own = { q: new Array<number>(joints), v: new Array<number>(joints), a: new Array<number>(joints) };
      const toRows = rows.map((row, j) => {
        const to = new Float64Array(count);
        for (let i = 0; i < unknowns; i++) {
          let sum = 0;
          for (let k = 0; k < unknowns; k++) sum += slope[i][k] * row[independent[k]];
          to[independent[i]] = 2 * weights[j] * sum;
        }
        const { lower, upper, speed, acceleration, torque: most } = bounds[j];
        const { stiffness, restCoordinate } = springs[j];
        let torque = stiffness * (at.q[j] - restCoordinate);
        for (let p = 0; p < count; p++) torque += row[p] * parameters[p];
        const ofTorque = Number.isFinite(most) ? beyond(torque, most) : 0;
        if (ofTorque !== 0) for (let p = 0; p < count; p++) to[p] += ofTorque * parameters[p];
        own.q[j] = beyond(at.q[j] - (lower + upper) / 2, (upper - lower) / 2) + ofTorque * stiffness;
        const first = rigid + JOINT_PARAMETERS.length * j;
        const turn = row[first + 2];
        own.v[j] = beyond(at.v[j], speed) + to[first + 1] + (to[first + 2] * (1 - turn * turn)) / frictionWidth;
        own.a[j] = beyond(at.a[j], acceleration) + to[first];
        return to;
      });
      const found = pullBack(robot, at, toRows, gravity);
      for (let j = 0; j < joints; j++) {
        const [ofQ, ofV, ofA] = [found.q[j] + own.q[j], found.v[j] + own.v[j], found.a[j] + own.a[j]];
        const { lower, upper } = bounds[j];
        gradient[j * size] += (ofQ * (upper - lower)) / 2;
        for (let k = 0; k < frequencies.length; k++)
          gradient[j * size + 1 + k] +=
            scales[j][k] * (ofQ * series.values[k][s] + ofV * series.rates[k][s] + ofA * series.accelerations[k][s]);
      }
    }
    return { loss: loss + exceeded, gradient };
  };
  return { start, base, evaluate };
}

/** Coefficients of each function by joint that take it to a bound by itself. */
const amplitudesAtBounds = (bounds: readonly JointBounds[], frequencies: readonly number[]): number[][] =>
  bounds.map(({ lower, upper, speed, acceleration }) =>
    frequencies.map((f) => {
      const w = 2 * Math.PI * f;
      return Math.min((upper - lower) / 2, speed / w, acceleration / w ** 2);
    }),
  );

/**
 * The motion of a series, and its centre. Coefficients are, joint by joint, the place of the centre between the bounds, -1
 * to 1, and those of the functions, in units that take the joint to a bound.
 */
export function motionOfSeries(
  bounds: readonly JointBounds[],
  x: ArrayLike<number>,
  { time, frequencies, values, rates, accelerations }: Series,
): { readonly samples: MotionSamples; readonly centre: number[] } {
  const size = frequencies.length + 1;
  const scales = amplitudesAtBounds(bounds, frequencies);
  const centre = bounds.map(({ lower, upper }, j) => (lower + upper) / 2 + ((upper - lower) / 2) * x[j * size]);
  const of = (functions: readonly Float64Array[], j: number, from: number): Float64Array => {
    const sum = new Float64Array(time.length).fill(from);
    for (const [k, f] of functions.entries()) {
      const by = x[j * size + 1 + k] * scales[j][k];
      for (let s = 0; s < sum.length; s++) sum[s] += by * f[s];
    }
    return sum;
  };
  const samples = {
    time,
    positions: bounds.map((_, j) => of(values, j, centre[j])),
    rates: bounds.map((_, j) => of(rates, j, 0)),
    accelerations: bounds.map((_, j) => of(accelerations, j, 0)),
  };
  return { samples, centre };
}
