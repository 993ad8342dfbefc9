import { createSimulation, f32, f64Device, kernel, Model } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { windowShare } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('windows of time');

/** Adds up the time that each window covers, s. */
const last = kernel(
  'last',
  { domain: 'windows', reads: { start: f32, end: f32, time: f32 }, writes: { time: f32 } },
  ({ start, end, time }, clock) => ({ time: time.add(windowShare(start, end, clock).mul(clock.dt)) }),
);

describe('the fraction of a substep that a time window covers', () => {
  // Over a run of T, max(0, min(end, T) - max(start, 0)) in total, whatever the substep.
  it.each([
    { frames: 2, frameRate: 1, substeps: 10 },
    { frameTimes: [0, 0.02, 0.31, 0.5, 0.7, 1], substeps: 3 },
  ])(
    "sums, times dt, to the window's duration within the run, with derivatives -1 and 1 by its ends if within the run: %o",
    async (timeline) => {
      const windows = [
        { start: 0.213, end: 0.648, time: 0.435, ofStart: -1, ofEnd: 1 },
        { start: 0.31, end: 0.312, time: 0.002, ofStart: -1, ofEnd: 1 },
        { start: 0.5, end: 0.7, time: 0.2, ofStart: -1, ofEnd: 1 },
        { start: -1, end: 0.25, time: 0.25, ofStart: 0, ofEnd: 1 },
        { start: 0.75, end: 7, time: 0.25, ofStart: -1, ofEnd: 0 },
        { start: 2, end: 3, time: 0, ofStart: 0, ofEnd: 0 },
      ];
      const model = new Model();
      model.addDomain('windows', windows.length);
      model.addField('windows', 'start', f32, { values: windows.map(({ start }) => start) });
      model.addField('windows', 'end', f32, { values: windows.map(({ end }) => end) });
      model.addField('windows', 'time', f32, { fill: 0 });
      model.addPass('integrate', last);
      const simulation = await createSimulation(model, {
        device: f64Device(),
        ...timeline,
        parameters: ['windows.start', 'windows.end'],
        outputs: ['windows.time'],
      });
      simulation.forward();
      const time = await simulation.read('windows.time');
      simulation.backward({ 'windows.time': windows.map(() => 1) });
      const [ofStart, ofEnd] = [await simulation.gradient('windows.start'), await simulation.gradient('windows.end')];
      windows.forEach((window, k) => {
        expect(time[k]).toBeCloseTo(window.time, 13);
        expect(ofStart[k]).toBeCloseTo(window.ofStart, 13);
        expect(ofEnd[k]).toBeCloseTo(window.ofEnd, 13);
      });
    },
  );

  it('has derivatives that agree with central differences, also at the ends of a substep', () =>
    checkKernel(last, { seed: SEED, ranges: { start: [-0.02, 0.004], end: [0.006, 0.02] } }));
});
