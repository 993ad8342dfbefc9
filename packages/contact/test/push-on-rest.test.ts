import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import type { Device } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { Body, BodyPush, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

const [G, SUBSTEPS, MASS, END] = [9.81, 2000, 0.8, 0.6];

/**
 * Simulates a second of a body that rests on y = 0, and is pushed from some times on; yields its place along the push, and the derivatives
 * of that.
 */
async function* pushed(of: 'ball' | 'box', { force, mu }: Pushed, device: Device) {
  const scene = createScene([rigid(), impacts()]);
  const mesh = of === 'ball' ? icosphere({ radius: 0.1 }) : box({ size: [0.3, 0.06, 0.2] });
  const body = scene.add(Body, { mesh, mass: MASS, position: [0, of === 'ball' ? 0.1 : 0.03, 0] });
  scene.attach(body, impactOf(Body), { radius: of === 'ball' ? 0.1 : 0, restitution: 0.5, mu });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  scene.add(BodyPush, { body, force, start: 0, end: END });
  const parameters = ['bodyPushes.start', 'bodyPushes.end', 'bodyPushes.force', 'bodies.mu'];
  const run = { device, frames: 2, frameRate: 1, substeps: SUBSTEPS, parameters, outputs: ['bodies.position'] };
  const simulation = await createSimulation(buildModel(scene), run);
  const axis = force[1] > 0 ? 1 : 0;
  // At any time of a substep, and with it.
  for (let phase = 0; phase < 8; phase++) {
    const start = 0.4 + phase / 8 / SUBSTEPS;
    simulation.set('bodyPushes.start', [start]);
    simulation.forward();
    const place = (await simulation.read('bodies.position'))[axis];
    simulation.backward({ 'bodies.position': [0, 1, 2].map((k) => (k === axis ? 1 : 0)) });
    const [[byStart], [byEnd], byForce, [byMu]] = await Promise.all(
      parameters.map((name) => simulation.gradient(name)),
    );
    yield { start, place, byStart, byEnd, byForce: byForce[axis], byMu };
  }
}

interface Pushed {
  readonly force: readonly number[];
  readonly mu: number;
}

describe.each([
  ['double', f64Device],
  ['single', cpuDevice],
] as const)('a push that begins within a substep, in %s precision', (_, deviceOf) => {
  it('lifts a ball that rests as in closed form', async () => {
    const device = deviceOf();
    const force = 30;
    const runs = pushed('ball', { force: [0, force, 0], mu: 0.2 }, device);
    for await (const { start, place, byStart, byEnd, byForce } of runs) {
      // It rises by a until the push ends, and flies on.
      const [a, seconds, left] = [force / MASS - G, END - start, 1 - END];
      const risen = seconds ** 2 / 2 + seconds * left;
      expect((place - 0.1) / (a * risen - (G * left ** 2) / 2)).toBeCloseTo(1, 2);
      expect(byStart / (-a * (seconds + left))).toBeCloseTo(1, 2);
      expect(byEnd / ((force / MASS) * left)).toBeCloseTo(1, 2);
      expect(byForce / (risen / MASS)).toBeCloseTo(1, 2);
    }
    device.dispose();
  });

  it('slides a box that friction holds as in closed form', async () => {
    const device = deviceOf();
    const [force, mu] = [5, 0.35];
    const runs = pushed('box', { force: [force, 0, 0], mu }, device);
    for await (const { start, place, byStart, byEnd, byForce, byMu } of runs) {
      // It is slowed by mu g when the push has ended: v^2 (1 / a + 1 / mu g) / 2 with v = a seconds.
      const [rub, seconds] = [mu * G, END - start];
      const a = force / MASS - rub;
      expect(place / ((a * seconds ** 2 * (1 + a / rub)) / 2)).toBeCloseTo(1, 2);
      const bySeconds = a * seconds * (1 + a / rub);
      expect(byStart / -bySeconds).toBeCloseTo(1, 2);
      expect(byEnd / bySeconds).toBeCloseTo(1, 2);
      expect(byForce / ((seconds ** 2 * (1 + (2 * a) / rub)) / 2 / MASS)).toBeCloseTo(1, 2);
      const byRub = (-(seconds ** 2) / 2) * (1 + (2 * a) / rub + (a / rub) ** 2);
      expect(byMu / (G * byRub)).toBeCloseTo(1, 2);
    }
    device.dispose();
  });
});
