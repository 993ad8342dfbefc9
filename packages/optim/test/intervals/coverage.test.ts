import { createSimulation, f64Device } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { draws, normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { LINE, lineModel, lineParameters, PIXELS } from '../line.ts';
import { drag, gravity, motesModel, RUN, seenBy, TRUTH, vx } from '../motes.ts';

// A known truth, noise of a known kind, and how often the 95 % intervals hold the truth. The estimate is not told how
// the noise is correlated.
const device = f64Device();
/** Number of estimates per kind of noise, each from a new draw of the noise. */
const DRAWS = draws(60, 1000);
const SEED = seedOfRun('coverage', 17);
let normal = normalNumbers(randomNumbers(SEED));

/**
 * Function that draws noise for `frames` frames of `values` values, flat [frame][value], with a variance of at least 1.
 */
type Noise = (frames: number, values: number) => Float64Array;
const each =
  (ofFrame: (values: number) => Float64Array): Noise =>
  (frames, values) => {
    const all = new Float64Array(frames * values);
    for (let f = 0; f < frames; f++) all.set(ofFrame(values), f * values);
    return all;
  };
const white = (values: number): Float64Array => Float64Array.from({ length: values }, () => normal());
/**
 * Noise of variance 1 in which each value is correlated with that of the previous frame, by the coefficient `share`.
 */
const drifting =
  (share: number): Noise =>
  (frames, values) => {
    const now = white(values);
    const all = new Float64Array(frames * values);
    for (let f = 0; f < frames; f++) {
      all.set(now, f * values);
      for (let k = 0; k < values; k++) now[k] = share * now[k] + Math.sqrt(1 - share ** 2) * normal();
    }
    return all;
  };
const NOISES: Readonly<Record<string, Noise>> = {
  white: each(white),
  'blurred over values': each((values) => {
    const sharp = white(values + 4);
    return Float64Array.from(
      { length: values },
      (_, k) => (sharp[k] + sharp[k + 1] + sharp[k + 2] + sharp[k + 3] + sharp[k + 4]) / Math.sqrt(5),
    );
  }),
  'an offset a frame': each((values) => {
    const offset = 2 * normal();
    return white(values).map((noise) => noise + offset);
  }),
  'drifting over frames': drifting(0.7),
};

/** Share of the 95 % intervals that contain the truth, 0 to 1, over all draws and parameters. */
async function coverage(
  problemOf: (target: Float64Array) => Problem,
  clean: Float64Array,
  frames: number,
  noise: Noise,
  size: number,
): Promise<number> {
  let [held, all] = [0, 0];
  // Each kind by itself, whatever runs before it.
  normal = normalNumbers(randomNumbers(SEED));
  for (let draw = 0; draw < DRAWS; draw++) {
    const errors = noise(frames, clean.length / frames);
    const { parameters, verdict } = await estimate(problemOf(clean.map((value, k) => value + size * errors[k])), {
      device,
    });
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    for (const { interval, truth } of Object.values(parameters)) {
      all++;
      if (interval![0] <= truth! && truth! <= interval![1]) held++;
    }
  }
  return held / all;
}

describe('95 % intervals contain the truth in 90 to 99 % of draws', () => {
  const motes = motesModel();
  const known = (spec: typeof drag, truth: number): typeof drag => ({ ...spec, truth });
  const motesOf = (target: Float64Array): Problem => ({
    model: motes,
    ...RUN,
    parameters: [
      known({ ...gravity, initial: -9 }, TRUTH.gravity),
      known({ ...drag, initial: 0.4 }, TRUTH.drag),
      known(vx, TRUTH.vx),
    ],
    observations: [{ field: 'motes.seen', target }],
  });
  const line = lineModel();
  const lineOf = (target: Float64Array): Problem => ({
    model: line,
    ...LINE,
    parameters: lineParameters(0.1),
    observations: [{ field: 'pixels.light', target }],
  });

  const ofTracks = async (name: string) => {
    const share = await coverage(motesOf, await seenBy(motes), RUN.frames, NOISES[name], 0.01);
    console.log(`motes, ${name}: ${(100 * share).toFixed(1)} %`);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(share).toBeLessThanOrEqual(0.99);
  };
  const ofPictures = async (name: string) => {
    const simulation = await createSimulation(line, { device, ...LINE, record: ['pixels.light'] });
    simulation.forward();
    const clean = await simulation.readFrames('pixels.light');
    simulation.dispose();
    const share = await coverage(lineOf, clean, LINE.frames, NOISES[name], 0.05);
    console.log(`pixels, ${name}: ${(100 * share).toFixed(1)} %`);
    expect(share).toBeGreaterThanOrEqual(0.9);
    expect(share).toBeLessThanOrEqual(0.99);
  };
  const names = Object.keys(NOISES);
  it.each([
    ...names.map((name) => [`tracks of two motes with noise: ${name}`, () => ofTracks(name)] as const),
    ...names.map((name) => [`pictures of ${PIXELS} pixels with noise: ${name}`, () => ofPictures(name)] as const),
  ])('%s', (_, covers) => covers());
});
