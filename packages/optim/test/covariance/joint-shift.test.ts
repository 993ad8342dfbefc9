import { multiplySquare, multiplyVector } from '@gradsim/base';
import type { GivenSpec } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { jointShift } from '../../src/covariance/joint-shift.ts';
import { inverseAlong } from '../../src/unknowns/information.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { drag, gravity, motesModel, RUN, vx } from '../motes.ts';

const normal = normalNumbers(randomNumbers(seedOfRun('joint shifts', 5)));
const TOLERANCES = [0.01, 0.3, 2, 0.05];
const given: GivenSpec[] = TOLERANCES.map((tolerance, k) => ({ name: `given ${k}`, value: 1 + k, tolerance }));
const unknowns = new Unknowns(
  {
    model: motesModel(),
    ...RUN,
    parameters: [gravity, { ...drag, transform: 'identity' }, vx],
    given,
    ties: [{ field: 'world.zoom', compute: (v) => given.reduce((all, { name, value }) => (all * v[name]) / value, 1) }],
  },
  'fitted',
);
/** Absolute value that a standard normal variable exceeds with a probability of 1 %. */
const LARGE = 2.576;
const n = unknowns.count;
const free = n - TOLERANCES.length;

/** Random information matrix, row by row, that determines the unknowns about as well as their tolerances do. */
function information(rows: number): Float64Array {
  const scale = [1, 1, 1, ...TOLERANCES];
  const sum = new Float64Array(n * n);
  for (let row = 0; row < rows; row++) {
    const slope = scale.map((s) => normal() / s);
    for (let at = 0; at < n * n; at++) sum[at] += slope[Math.floor(at / n)] * slope[at % n];
  }
  return sum;
}

it('the chance of a joint shift is below 0.1 in 10 % and below 0.01 in 1 % of correct models, with correlated residuals in half of them', () => {
  const priors = Float64Array.from({ length: n }, (_, k) => (k < free ? 0 : TOLERANCES[k - free] ** -2));
  const [below, draws] = [{ 0.1: 0, 0.01: 0 }, 4000];
  let large = 0;
  for (let draw = 0; draw < draws; draw++) {
    const seen = information(9);
    // Scores along other rows than those of the information: of no residuals that err independently.
    const rows = information(n);
    const scores = rows.map((value, at) => (draw % 2 === 0 ? seen[at] : 0.4 * value));
    const inverse = inverseAlong(
      seen.map((value, at) => value + (at % (n + 1) === 0 ? priors[at % n] : 0)),
      unknowns.scales(),
      1e-14,
    );
    const middle = scores.map((value, at) => value + (at % (n + 1) === 0 ? priors[at % n] : 0));
    const covariance = multiplySquare(multiplySquare(inverse, middle, n), inverse, n);
    // What the means are off by, weighed, and scores of their covariance, by its Cholesky factor.
    const score = correlated(scores);
    const pull = Float64Array.from(
      { length: n },
      (_, k) => score[k] + (k < free ? 0 : normal() / TOLERANCES[k - free]),
    );
    const means = given.map(({ value }) => value);
    const truth = Float64Array.from({ length: n }, (_, k) =>
      k < free ? unknowns.initial()[k] : means[k - free] - (pull[k] - score[k]) / priors[k],
    );
    const step = multiplyVector(inverse, pull);
    const { pValue, largest } = jointShift(
      unknowns,
      truth.map((value, k) => value + step[k]),
      { inverse, covariance },
    )!;
    large += Number(largest > LARGE);
    below[0.1] += Number(pValue < 0.1);
    below[0.01] += Number(pValue < 0.01);
  }
  console.log(`chances of right models below .1: ${below[0.1] / draws}, below .01: ${below[0.01] / draws}`);
  // From that of one to that of as many normal numbers as there are priors.
  console.log(`largest above ${LARGE}: ${large / draws}`);
  expect(large / draws).toBeGreaterThan(0.01 - 0.0063);
  expect(large / draws).toBeLessThan(0.01 * TOLERANCES.length + 0.0063);
  // Within four standard deviations of a share of 4000.
  expect(Math.abs(below[0.1] / draws - 0.1)).toBeLessThan(0.019);
  expect(Math.abs(below[0.01] / draws - 0.01)).toBeLessThan(0.0063);
});

/** Draws normal numbers with a given covariance matrix, row by row. */
function correlated(covariance: Float64Array): Float64Array {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = covariance[i * n + j];
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = i === j ? Math.sqrt(sum) : sum / factor[j * n + j];
    }
  const drawn = Float64Array.from({ length: n }, normal);
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let k = 0; k <= i; k++) sum += factor[i * n + k] * drawn[k];
    return sum;
  });
}
