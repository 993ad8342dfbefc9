// Motion at frames with times of their own, compared with closed forms at these times, and with differences.

import { ContactSphere, contact, HalfSpace, impactOf, impacts } from '@gradsim/contact';
import type { FrameClock, Plugin, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device, timeOfFrame } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('uneven frames');
const random = randomNumbers(SEED);
const SUBSTEPS = 8;
const G = 9.81;
/** Times of 40 frames of 1/30 s, of which some are missing, the later ones at 20 a second, all with jitter. */
const frameTimes = [0];
while (frameTimes.length < 40) {
  const usual = frameTimes.length < 20 ? 1 / 30 : 1 / 20;
  frameTimes.push(frameTimes.at(-1)! + usual * (1 + (random() < 0.2 ? 1 : 0) + 0.4 * (random() - 0.5)));
}
const firstDt = frameTimes[1] / SUBSTEPS;
const inertia = [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3];

async function heights(scene: Scene, field: 'bodies.position' | 'particles.position'): Promise<number[]> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    substeps: SUBSTEPS,
    frameTimes,
    record: [field],
    onWarning: () => {},
  });
  simulation.forward();
  const positions = await simulation.readFrames(field);
  simulation.dispose();
  return frameTimes.map((_, frame) => positions[3 * frame + 1]);
}

const sceneOf = (plugins: Plugin[]): Scene => {
  const scene = createScene(plugins);
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  return scene;
};
/** Velocity in the middle of the substep that would end at 0 s. */
const middle = (v: number): [number, number, number] => [0, v + (G * firstDt) / 2, 0];

describe('at frames with times of their own', () => {
  // y = y0 + v t - g t^2 / 2, exactly: forces act from the middle of a substep to that of the next.
  it('free fall is exact', async () => {
    const right = frameTimes.map((t) => 2 + 3 * t - (G * t * t) / 2);
    const body = sceneOf([rigid()]);
    body.add(Body, { mass: 0.4, inertia, position: [0, 2, 0], velocity: middle(3) });
    const particle = sceneOf([particles()]);
    particle.add(Particle, { mass: 0.4, position: [0, 2, 0], velocity: middle(3) });
    for (const found of [await heights(body, 'bodies.position'), await heights(particle, 'particles.position')])
      right.forEach((y, frame) => {
        expect(Math.abs(found[frame] - y)).toBeLessThan(1e-11);
      });
  });

  // Parabolas: the ball of radius r falls h, then rises with e times the speed of each impact.
  it('a bouncing ball is exact', async () => {
    const [r, h, e] = [0.1, 0.9, 0.8];
    const scene = sceneOf([rigid(), impacts()]);
    const ball = scene.add(Body, { mass: 0.4, inertia, position: [0, r + h, 0], velocity: middle(0) });
    scene.attach(ball, impactOf(Body), { radius: r, restitution: e });
    scene.add(HalfSpace, { normal: [0, 1, 0] });
    const found = await heights(scene, 'bodies.position');
    let count = 0;
    frameTimes.forEach((t, frame) => {
      let [from, up] = [Math.sqrt((2 * h) / G), e * Math.sqrt(2 * G * h)];
      if (t < from) {
        expect(Math.abs(found[frame] - (r + h - (G * t * t) / 2))).toBeLessThan(1e-10);
        return;
      }
      while (t > from + (2 * up) / G) [from, up] = [from + (2 * up) / G, e * up];
      // Hops that end within a substep are none.
      if (up < 4 * G * (1 / 10 / SUBSTEPS)) return;
      count++;
      expect(Math.abs(found[frame] - (r + up * (t - from) - (G * (t - from) ** 2) / 2))).toBeLessThan(1e-9);
    });
    expect(count).toBeGreaterThan(10);
  });

  // The impulse of a touch does not depend on where frames with other durations begin: as with even frames, the height
  // after a bounce tends to that of the law.
  it('a compliant bounce tends to that of even frames, and its gradient agrees with differences', async () => {
    const scene = (dt = 0) => {
      const s = sceneOf([rigid(), contact()]);
      const ball = s.add(Body, { mass: 0.4, inertia, position: [0, 0.3, 0], velocity: [0.4, (G * dt) / 2, 0] });
      s.add(ContactSphere, { body: ball, radius: 0.1, ke: 3000, kd: 3, mu: 0.2 });
      s.add(HalfSpace, { normal: [0, 1, 0] });
      return s;
    };
    const short = frameTimes.slice(0, 16);
    const end = short.at(-1)!;
    const after = async (clock: FrameClock & { frames?: number }, substeps: number): Promise<number> => {
      const dt = timeOfFrame(clock, 1) / substeps;
      const simulation = await createSimulation(buildModel(scene(dt)), {
        device: f64Device(),
        substeps,
        ...clock,
        onWarning: () => {},
      });
      simulation.forward();
      const y = (await simulation.read('bodies.position'))[1];
      simulation.dispose();
      return y;
    };
    const law = await after({ frames: 2, frameRate: 1 / end }, 2 ** 17);
    const even = Math.abs((await after({ frames: 16, frameRate: 15 / end }, 512)) - law);
    const uneven = Math.abs((await after({ frameTimes: short }, 512)) - law);
    expect(uneven).toBeLessThan(4 * even + 3e-4);
    await checkGradients(buildModel(scene()), {
      seed: SEED,
      frames: 16,
      frameTimes: short,
      substeps: 64,
      parameters: ['bodies.position', 'bodies.velocity', 'spheres.ke', 'spheres.kd', 'spheres.mu'],
      outputs: ['bodies.position', 'bodies.velocity'],
    });
  });
});
