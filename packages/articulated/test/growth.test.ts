import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Device } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { afterAll, expect, it, vi } from 'vitest';

const devices: Device[] = [cpuDevice({ threads: 1 }), f64Device()];
afterAll(() => {
  for (const device of devices) device.dispose();
});

/**
 * Scene of an arm of two light links whose joints have dry friction that is far too stiff for explicit steps: dt kf / M
 * = 130.
 */
function arm() {
  const scene = createScene([articulated()]);
  const joint = { joint: 'revolute', axis: [0, 0, 1], mass: 0.1, centre: [0.1, 0, 0] } as const;
  const friction = {
    dryFriction: 0.02,
    frictionStiffness: 20,
    inertia: [1e-4, 0, 0, 0, 1e-4, 0, 0, 0, 1e-4],
  } as const;
  const upper = scene.add(Link, { ...joint, ...friction });
  scene.add(Link, { ...joint, ...friction, parent: upper, anchor: [0.2, 0, 0] });
  scene.add(Gravity, { acceleration: [0, -9.81, 0] });
  return buildModel(scene);
}

it('a gradient that grows through dry friction too stiff for explicit steps is reported with the kernel that amplifies it', async () => {
  for (const device of devices) {
    const onWarning = vi.fn<(warning: string) => void>();
    const simulation = await createSimulation(arm(), {
      device,
      frames: 31,
      frameRate: 30,
      substeps: 32,
      onWarning,
      parameters: ['links.mass'],
      outputs: ['links.coordinate'],
    });
    simulation.forward();
    const tip = await simulation.read('links.coordinate');
    for (const angle of tip) expect(Math.abs(angle)).toBeLessThan(10);
    simulation.backward({ 'links.coordinate': [1, 1] });
    await simulation.gradient('links.mass');
    const { growth, isExploded, pass } = await simulation.gradientReport();
    expect(growth).toBeGreaterThan(1e8);
    expect(pass).toMatchObject({ kernel: 'axisEffort', phase: 'force', field: 'links.rate' });
    expect(pass!.factor).toBeGreaterThan(20);
    // Doubles can represent such values; single precision cannot.
    expect(isExploded).toBe(device.precision === 'f32');
    // Both warn that the step is too long.
    const told = onWarning.mock.calls.flat().join('\n');
    expect(/derivative of axisEffort/.test(told)).toBe(isExploded);
    simulation.dispose();
  }
});
