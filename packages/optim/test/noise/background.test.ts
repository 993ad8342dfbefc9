import { standardNormal } from '@gradsim/base';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import type { SeenFrame } from '../../src/noise/background.ts';
import { backgroundOf, spreadOf, stillCorrelation } from '../../src/noise/background.ts';

const random = randomNumbers(6);
const white = (count: number): Float32Array => Float32Array.from({ length: count }, () => standardNormal(random));
const SHAPE = { elements: 640, values: 3 * 640 };
/** A frame of the background alone, with these residuals. */
const seen = (residuals: Float32Array): SeenFrame => ({
  modelOutput: residuals,
  target: new Float64Array(residuals.length),
  rootWeights: null,
  showing: new Uint8Array(residuals.length),
  stride: 1,
});
const filmOf = (frame: () => Float32Array) => ({ ...SHAPE, frames: Array.from({ length: 20 }, () => seen(frame())) });
const foundOf = (frame: () => Float32Array) => backgroundOf(spreadOf([filmOf(frame)])!)!;

it('background noise: for white noise, sums of neighbouring values have less than 1.3 times the variance of independent ones', () => {
  const { variance, correlationFactor } = foundOf(() => white(SHAPE.values));
  expect(variance).toBeCloseTo(1, 1);
  expect(correlationFactor).toBeLessThan(1.3);
});

it('background noise: sums of neighbours have 4 to 6 times the variance of independent ones if blurred over five, above 2.7 times if equal in three channels', () => {
  const blurred = (): Float32Array => {
    const sharp = white(SHAPE.values + 4);
    return Float32Array.from(
      { length: SHAPE.values },
      (_, k) => (sharp[k] + sharp[k + 1] + sharp[k + 2] + sharp[k + 3] + sharp[k + 4]) / Math.sqrt(5),
    );
  };
  const { correlationFactor } = foundOf(blurred);
  expect(correlationFactor).toBeGreaterThan(4);
  expect(correlationFactor).toBeLessThan(6);
  const grey = foundOf(() => {
    const own = white(SHAPE.elements);
    return Float32Array.from({ length: SHAPE.values }, (_, k) => own[k % SHAPE.elements]);
  });
  expect(grey.correlationFactor).toBeGreaterThan(2.7);
});

it('background noise: a constant error in a third of the values, ten times the noise, leaves the measured variance below 3.2 times the true one, and the correlation with the next frame below 0.7', () => {
  const still = Float32Array.from({ length: SHAPE.values }, (_, k) =>
    k % SHAPE.elements < SHAPE.elements / 3 ? 10 : 0,
  );
  const film = filmOf(() => white(SHAPE.values).map((value, k) => value + still[k]));
  const { variance, correlationFactor } = backgroundOf(spreadOf([film])!)!;
  // The median of all is that of three quarters of what is noise alone: 1.15 instead of 0.67, squared.
  expect(variance).toBeLessThan(3.2);
  expect(correlationFactor).toBeLessThan(5);
  expect(stillCorrelation(spreadOf([film])!)!.byLag[1] ?? 0).toBeLessThan(0.7);
});

it('background noise: the variance measured from two films of white noise is that of the noise', () => {
  const [one, other] = [filmOf(() => white(SHAPE.values)), filmOf(() => white(SHAPE.values))];
  expect(backgroundOf(spreadOf([one, other])!)!.variance).toBeCloseTo(1, 1);
});

it('background noise: of noise correlated by 0.6 from frame to frame, the correlation is measured as 0.6 after one frame and 0.36 after two, of white noise as none', () => {
  let last = white(SHAPE.values);
  const lasting = filmOf(() => {
    const fresh = white(SHAPE.values);
    last = last.map((value, k) => 0.6 * value + 0.8 * fresh[k]);
    return last;
  });
  const { byLag } = stillCorrelation(spreadOf([lasting])!)!;
  expect(byLag[1]).toBeCloseTo(0.6, 1);
  expect(byLag[2]).toBeCloseTo(0.36, 1);
  expect(stillCorrelation(spreadOf([filmOf(() => white(SHAPE.values))])!)!.byLag).toEqual([1]);
});

it('background noise: no film, or a single value, yields null', () => {
  expect(spreadOf([])).toBeNull();
  expect(backgroundOf(spreadOf([{ elements: 1, values: 1, frames: [seen(new Float32Array([1]))] }])!)).toBeNull();
});

it('background noise: if 10 % of the residuals are 0.5 and the rest 0, the variance is their mean square', () => {
  const { variance } = foundOf(() => Float32Array.from({ length: SHAPE.values }, () => (random() < 0.1 ? 0.5 : 0)));
  expect(variance).toBeCloseTo(0.1 * 0.5 ** 2, 2);
});
