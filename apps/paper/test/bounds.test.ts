import { Link } from '@gradsim/articulated';
import { f64Device, recordOf } from '@gradsim/core';
import { Pixel } from '@gradsim/render';
import { expect, it } from 'vitest';
import { boundsAtTruth } from '../src/bounds.ts';
import { swingCase } from '../src/table-3/swing.ts';

// Of one unknown the bound is noise / |d film / d unknown|: here by central differences of films.
it("the lower bound of an initial angle's standard error is the noise divided by the film's derivative", async () => {
  const device = f64Device();
  const { problem } = await swingCase(1)(1, device);
  const [angle] = problem.parameters!;
  // Shorter ones are mostly about pixels that jump where a triangle turns edge-on.
  const step = 1e-3;
  const { model, frames, frameRate, substeps } = problem;
  // The second link is the ball, fixed to the rod.
  const filmed = (change: number): Promise<Float64Array> =>
    recordOf(model, Pixel.rgba, {
      device,
      frames,
      frameRate,
      substeps,
      values: { [Link.coordinate.key]: [angle.truth! + change, 0] },
    });
  const [before, after] = [await filmed(-step), await filmed(step)];
  const slope = Math.sqrt(before.reduce((sum, value, k) => sum + ((after[k] - value) / (2 * step)) ** 2, 0));
  const { bound, isDetermined } = (await boundsAtTruth(problem, device))[angle.name];
  expect(bound * 255 * slope).toBeCloseTo(1, 3);
  expect(isDetermined).toBe(true);
});
