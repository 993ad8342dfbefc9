// Two films of one pendulum by two cameras, drawn: what both share is estimated together.
import { cpuDevice } from '@gradsim/core';
import { estimate, estimateTogether, type Recording } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { measuredOf, pendulum } from '../src/index.ts';
import { evenTimes, filmed, SIZE } from './support/films.ts';

const [G, LENGTH, RADIUS] = [9.81, 0.4, 0.03];
const device = cpuDevice();

/** Angles of a pendulum with the inertia of its ball, rad, from a displacement at rest: by Runge and Kutta. */
function swing(angle: number, pull: number): (t: number) => number {
  const square = (pull * LENGTH) / (LENGTH ** 2 + (2 / 5) * RADIUS ** 2);
  const step = 1e-3;
  const angles = [angle];
  let [a, w] = [angle, 0];
  for (let k = 0; k < 3000; k++) {
    const bend = (x: number): number => -square * Math.sin(x);
    const [k1, l1] = [w, bend(a)];
    const [k2, l2] = [w + (step / 2) * l1, bend(a + (step / 2) * k1)];
    const [k3, l3] = [w + (step / 2) * l2, bend(a + (step / 2) * k2)];
    const [k4, l4] = [w + step * l3, bend(a + step * k3)];
    a += (step / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    w += (step / 6) * (l1 + 2 * l2 + 2 * l3 + l4);
    angles.push(a);
  }
  return (t) => {
    const at = Math.min(Math.max(t / step, 0), 2999);
    const k = Math.floor(at);
    return angles[k] + (at - k) * (angles[k + 1] - angles[k]);
  };
}

/** A film of it, by a camera that shows a metre as so many pixels, as a recording with its estimate alone. */
async function recording(name: string, pixels: number, angle: number, pull: number): Promise<Recording> {
  const at = swing(angle, pull);
  const video = await filmed(evenTimes(1.6), {
    radius: RADIUS * pixels,
    at: (t) => [
      SIZE.width / 2 + pixels * LENGTH * Math.sin(at(t)),
      20 + pixels * (LENGTH * Math.cos(at(t)) - 0.5 * LENGTH),
    ],
  });
  const set = { radius: `${RADIUS}`, length: `${LENGTH}`, fieldOfView: '40', chroma: 'centre', gravity: 'null' };
  const [{ problem }] = await pendulum.stages(measuredOf(pendulum, { video: 'a.mp4', ...set }) as never, {
    device,
    video,
    log: () => {},
    fileOf: (path) => path,
  });
  return { name, problem, alone: await estimate(problem, { device }) };
}

it('two films of a pendulum by two cameras tell gravity better than each alone, and one in slow motion is told', async () => {
  const [near, far] = [await recording('near', 400, 0.35, G), await recording('far', 260, 0.5, G)];
  const { shared, verdict } = await estimateTogether([near, far], { shared: ['gravity'] }, { device });
  const { estimate: found, standardError, ofGiven } = shared.gravity;
  const alone = [near, far].map((own) => own.alone!.parameters.gravity);
  console.info(JSON.stringify({ found, standardError, ofGiven, alone, findings: verdict.findings }));
  expect(verdict.trusted).toBe(true);
  expect(Math.abs(found - G)).toBeLessThan(3 * standardError!);
  // The length was measured once: its tolerance of 1 %, to which gravity is proportional, hardly becomes smaller.
  expect(ofGiven.length).toBeGreaterThan(0.07);
  expect(standardError!).toBeGreaterThan(0.9 * Math.min(...alone.map((own) => own.standardError!)));
  expect(standardError!).toBeLessThan(1.05 * Math.max(...alone.map((own) => own.standardError!)));

  // As if the clock of one ran slower by a fifth.
  const slow = await recording('slow', 260, 0.5, G / 1.44);
  const apart = await estimateTogether([near, slow], { shared: ['gravity'] }, { device });
  expect(apart.verdict).toMatchObject({ trusted: false });
  expect(apart.verdict.findings).toContainEqual(
    expect.objectContaining({ kind: 'disagreement', unknowns: ['gravity'] }),
  );
});
