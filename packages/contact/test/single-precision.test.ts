import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device, Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { afterAll, describe, expect, it } from 'vitest';

const cpu = cpuDevice({ threads: 1 });
const f64 = f64Device();
afterAll(() => {
  cpu.dispose();
  f64.dispose();
});

/** A box that tumbles over a floor. */
function tumbling(spin: readonly [number, number, number]): Model {
  const scene = createScene([rigid(), contact()]);
  const body = scene.add(Body, {
    mesh: box({ size: [0.2, 0.15, 0.3] }),
    density: 500,
    position: [0, 0.7, 0],
    orientation: [0.3, 0.6, 0.2, 0.9],
    velocity: [0.5, 0.3, 0.9],
    angularVelocity: spin,
  });
  scene.attach(body, contactOf(Body), { ke: 1.2e4, kd: 8, kf: 40, mu: 0.3 });
  scene.add(HalfSpace, {});
  return buildModel(scene);
}

/** Gradient of the place that a box comes to after a time, by its first velocity, and the warnings. */
async function gradientOf(model: Model, seconds: number, device: Device) {
  const warnings: string[] = [];
  const simulation = await createSimulation(model, {
    device,
    frames: 2,
    frameRate: 1 / seconds,
    substeps: Math.round(seconds * 960),
    parameters: [Body.velocity],
    outputs: [Body.position],
    onWarning: (text) => warnings.push(text),
  });
  simulation.forward();
  simulation.backward({ [Body.position.key]: [1, -0.5, 0.7] });
  const gradient = await simulation.gradient(Body.velocity);
  simulation.dispose();
  return { gradient, warnings };
}

/** Error of the gradient in single precision, relative to its largest component, and the warnings. */
async function compared(spin: readonly [number, number, number], seconds: number) {
  const single = await gradientOf(tumbling(spin), seconds, cpu);
  const double = await gradientOf(tumbling(spin), seconds, f64);
  expect(double.warnings).toEqual([]);
  const largest = Math.max(...double.gradient.map(Math.abs));
  const error = Math.max(...single.gradient.map((x, k) => Math.abs(x - double.gradient[k]))) / largest;
  return { error, warnings: single.warnings };
}

describe('the gradient of a tumbling box in single precision', () => {
  it('is reported where rounding decides which corner strikes, and only there', async () => {
    let wrong = 0;
    for (let k = 1; k < 4; k++)
      for (const seconds of [0.8, 2.6]) {
        const { error, warnings } = await compared([2 - k, 1 + k / 2, k - 4], seconds);
        if (error > 0.5) {
          wrong++;
          expect(warnings[0]).toContain('is not to be trusted');
        }
        if (error < 1e-3) expect(warnings).toEqual([]);
      }
    expect(wrong).toBeGreaterThan(0);
  });
});
