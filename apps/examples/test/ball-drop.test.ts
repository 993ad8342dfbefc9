import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { estimate } from '@gradsim/optim';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { readFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { Release, release, weighAfterRelease } from '../src/ball-drop/release.ts';
import ballDrop from '../src/ball-drop.ts';

const SEED = seedOfRun('ball drop');

const video = fileURLToPath(new URL('../../../../shared/data/ball-drop/ball-drop.mp4', import.meta.url));
const missing = await whyNoVideo();
if (missing) console.warn(`skipped: the real ball drop: ${missing}`);

async function whyNoVideo(): Promise<string | undefined> {
  if (!existsSync(video)) return '../shared/data/ball-drop/ball-drop.mp4 is not there';
  try {
    await readFrames(video, { first: 0, last: 0, frameRate: 120, size: { width: 8, height: 80 } });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the model of the ball drop', () => {
  it('has a release kernel whose derivatives agree with central differences', async () => {
    await checkKernel(weighAfterRelease, { seed: SEED, ranges: { time: [-0.02, 0.02], totalMass: [1, 2] } });
  });

  it('releases the body between substeps: its velocity is -g (T - t0), with the derivative g by the release time t0', async () => {
    // v = -g (T - t0), whatever the substep; dv/dt0 = g.
    const scene = createScene([rigid(), release()]);
    const body = scene.add(Body, { mass: 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
    scene.add(Release, { body, gravity: 8, time: 0.123 });
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 2,
      substeps: 20,
      parameters: ['releases.time'],
      outputs: ['bodies.velocity'],
    });
    simulation.forward();
    expect((await simulation.read('bodies.velocity'))[1]).toBeCloseTo(-8 * (0.5 - 0.123), 12);
    simulation.backward({ 'bodies.velocity': [0, 1, 0] });
    expect((await simulation.gradient('releases.time'))[0]).toBeCloseTo(8, 12);
  });
});

describe('bad input of the ball drop', () => {
  const stages = (given: { video?: string; settings?: Record<string, string> }) =>
    ballDrop.stages({ device: cpuDevice(), settings: {}, log: () => {}, ...given });
  it('is refused: no video, an unknown setting, and invalid values of settings', async () => {
    await expect(stages({})).rejects.toThrow('--video FILE');
    await expect(stages({ settings: { part: 'rise' } })).rejects.toThrowCode({
      code: 'optim/setting-value',
      values: ['"rise"', 'all, fall'],
    });
    await expect(stages({ settings: { gravity: 'much' } })).rejects.toThrow('gravity is "much"');
    await expect(stages({ settings: { grvity: '9' } })).rejects.toThrowCode({
      code: 'optim/unknown-setting',
      values: ['"grvity"'],
    });
  });
});

describe.skipIf(missing !== undefined)('the real ball drop', () => {
  // The same settings for every start, from either end of the range.
  const starts = [
    { part: 'fall', gravity: '5' },
    { part: 'all', gravity: '5' },
    { part: 'all', gravity: '15' },
  ];
  it.each(starts)(
    'determines gravity to 2 %, or 3 % from the fall alone: part $part, start $gravity m/s^2',
    async (settings) => {
      const { part, gravity } = settings;
      const began = performance.now();
      const device = cpuDevice();
      const [stage] = await ballDrop.stages({ device, video, settings, log: () => {} });
      const found = await estimate(stage.problem, { device });
      const { estimate: g, standardError, initial } = found.parameters.gravity;
      const seconds = (performance.now() - began) / 1000;
      console.info(
        `ball drop, ${part}, from ${gravity}: g ${g.toFixed(3)} +- ${standardError?.toFixed(3)} in ${seconds.toFixed(0)} s`,
      );
      expect(initial).toBe(Number(gravity));
      expect(Math.abs(g / 9.81 - 1)).toBeLessThan(part === 'all' ? 0.02 : 0.03);
      // The error that it states is one that it can have.
      expect(standardError).toBeGreaterThan(Math.abs(g - 9.81) / 3);
      expect(standardError).toBeLessThan(part === 'all' ? 0.4 : 0.8);
      if (part === 'fall') {
        expect((await stage.notes!(found))[0]).toContain('drag and perspective are hard to tell apart');
        expect(found.undetermined.some(({ direction }) => Math.abs(direction.drag) > 0.2)).toBe(true);
      } else {
        expect(found.parameters.restitution.estimate).toBeCloseTo(0.51, 1);
        expect(found.parameters.restitution.standardError).toBeLessThan(0.1);
        expect(found.verdict.trusted).toBe(true);
      }
      const strip = await stage.strip!(found);
      for (const k of strip.frames.keys()) {
        expect(await strip.target(k)).toHaveLength(strip.width * strip.height * 3);
        expect(await strip.estimate(k)).toHaveLength(strip.width * strip.height * 3);
      }
    },
  );
});
