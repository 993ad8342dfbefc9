import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findPose } from '@gradsim/cameras';
import { selectDevice } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { readPoses } from '@gradsim/recordings/poses';
import { expect, it, test } from 'vitest';
import cubeToss from '../src/cube-toss.ts';

// The sample's poses are of four times as many substeps than the experiment takes, with the noise of a tracker.
it('cube toss: friction, restitution and contact duration of the sample are within three standard errors of the truth, and trusted', async () => {
  const device = await selectDevice('cpu', { threads: 1 });
  const [{ problem }] = await cubeToss.stages({ device, settings: {}, log: () => {} });
  const { parameters, verdict, residual } = await estimate(problem, { device });
  expect(residual).toBeLessThan(1.2);
  for (const name of ['mu', 'restitution', 'duration']) {
    const { estimate: found, standardError, truth } = parameters[name];
    expect(Math.abs(found - truth!), name).toBeLessThan(3 * standardError!);
    expect(standardError! / truth!, name).toBeLessThan(0.1);
  }
  expect(verdict.trusted).toBe(true);
});

it('cube toss: a rendered cube is wholly in the picture; for the sample it is within 0.5 px rms of the tracked poses', async () => {
  const device = await selectDevice('cpu', { threads: 1 });
  const poses = fileURLToPath(new URL('../sample/cube-toss.csv', import.meta.url));
  for (const settings of [{}, { poses }] as Record<string, string>[]) {
    const { width, height, channels, frameRate, data } = await cubeToss.render!({
      device,
      settings,
      log: () => {},
    });
    expect(frameRate).toBeCloseTo(120);
    const size = width * height;
    const count = data.length / (size * channels);
    expect(count).toBeGreaterThan(80);
    const middles: number[][] = [];
    for (let f = 0; f < count; f++) {
      let [sum, x, y, edge] = [0, 0, 0, 0];
      for (let p = 0; p < size; p++) {
        const alpha = data[(f * size + p) * channels + 3];
        const [u, v] = [p % width, Math.floor(p / width)];
        sum += alpha;
        x += alpha * u;
        y += alpha * v;
        if (u === 0 || v === 0 || u === width - 1 || v === height - 1) edge += alpha;
      }
      // Neither a speck nor all of it, and nothing is cut off.
      expect(sum / size, `frame ${f}`).toBeGreaterThan(0.004);
      expect(sum / size, `frame ${f}`).toBeLessThan(0.2);
      expect(edge, `frame ${f}`).toBeLessThan(0.5);
      middles.push([x / sum, y / sum]);
    }
    // A table's contact is not known before an estimate: from its first touch on the picture is a guess.
    if (settings.poses) continue;
    // There is a place of the camera from which the tracked poses are seen there.
    const [toss] = readPoses(await readFile(poses, 'utf8'));
    const seen = toss.poses.flatMap((pose, f) => (pose && middles[f] ? [{ pose, at: middles[f] }] : []));
    const focal = height / 2 / Math.tan(0.35);
    const lens = {
      width,
      height,
      focalLength: [focal, focal] as const,
      principalPoint: [(width - 1) / 2, (height - 1) / 2] as const,
      distortion: [0, 0, 0, 0, 0] as const,
    };
    const { rms } = findPose(
      lens,
      seen.map(({ pose }) => [pose.position[0], pose.position[1], pose.position[2]]),
      seen.map(({ at }) => [at[0], at[1]]),
    );
    console.log(`poses are ${rms} pixels off, root of the mean square`);
    expect(rms).toBeLessThan(0.5);
    expect(middles[0][0] - middles[middles.length - 1][0]).toBeGreaterThan(width / 5);
  }
});

test('cube toss: an unknown setting, and a file that is no table of poses, are refused', async () => {
  const device = await selectDevice('cpu', { threads: 1 });
  const stages = (settings: Record<string, string>) => async () => cubeToss.stages({ device, settings, log: () => {} });
  await expect(stages({ pose: 'x' })).rejects.toThrowCode({
    code: 'optim/unknown-setting',
    values: ['"pose"', 'poses'],
  });
  await expect(stages({ poses: import.meta.filename })).rejects.toThrowCode('poses/column-missing');
});
