import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { Particle, particles } from '@gradsim/particles';
import { layoutOf, OrbitCamera, render, toRows } from '@gradsim/render';
import { dibr } from '@gradsim/render-dibr';
import { Spring, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';

/** Builds a model of a spring from the origin to (x, y, 0), in front of a camera that sees 2 m across. */
const modelOf = (to: number[], radius: number) => {
  const scene = createScene([
    particles(),
    springs({ look: { radius, color: [1, 0, 0] } }),
    render({ width: 64, height: 64 }),
    dibr({ delta: 1e-6 }),
  ]);
  scene.add(OrbitCamera, { distance: 10, fieldOfView: 2 * Math.atan(0.1) });
  const ends = [[0, 0, 0], to].map((position) => scene.add(Particle, { position, mass: 1, fixed: 1 }));
  scene.add(Spring, { ends, stiffness: 1, restLength: 1 });
  return buildModel(scene);
};
const run = { frames: 1, frameRate: 1, substeps: 1 };

describe('drawn springs', () => {
  it.each([
    ['level', [0.8, 0, 0]],
    ['upright', [0, 0.8, 0]],
    ['aslant', [0.5, -0.6, 0]],
  ])('are bars from end to end, %s', async (_, to) => {
    const model = modelOf(to, 0.1);
    const simulation = await createSimulation(model, {
      ...run,
      device: f64Device(),
      record: ['pixels.rgba'],
    });
    simulation.forward();
    const rgba = toRows(layoutOf(model), await simulation.readFrames('pixels.rgba'), 4);
    simulation.dispose();
    const alpha = (x: number, y: number): number =>
      rgba[4 * (Math.floor(32 - 32 * y) * 64 + Math.floor(32 + 32 * x)) + 3];
    const [x, y] = to;
    const length = Math.hypot(x, y);
    const aside = [-y / length, x / length];
    for (const part of [0.1, 0.5, 0.9]) expect(alpha(part * x, part * y)).toBe(1);
    for (const off of [-0.2, 0.2]) {
      expect(alpha(x / 2 + off * aside[0], y / 2 + off * aside[1])).toBeLessThan(0.01);
      const beyond = off < 0 ? -0.2 : 1.2;
      expect(alpha(beyond * x, beyond * y)).toBeLessThan(0.01);
    }
    // Coverage equal to the area of the bar: 0.2 m (6.4 pixels) wide, up to half as much more if rotated about its
    // axis, in 4 m^2.
    const area = rgba.filter((_, k) => k % 4 === 3).reduce((sum, a) => sum + a, 0) / 64 ** 2;
    expect(area).toBeGreaterThan((0.18 * length) / 4);
    expect(area).toBeLessThan((0.32 * length) / 4);
    // Red, with ambient light only.
    const middle = 4 * (Math.floor(32 - 16 * y) * 64 + Math.floor(32 + 16 * x));
    expect([...rgba.slice(middle, middle + 3)]).toEqual([1, 0, 0]);
  });

  it('have vertices whose derivatives by the positions of the ends and by the radius agree with central differences', async () => {
    await checkGradients(modelOf([0.5, -0.6, 0.3], 0.1), {
      ...run,
      parameters: [Particle.position, 'world.springRadius'],
      outputs: ['springVertices.position'],
    });
  });

  it('are refused with a radius of 0, or a colour above 1', () => {
    expect(() => springs({ look: { radius: 0 } })).toThrowCode({ code: 'springs/option-out-of-range', values: [0] });
    expect(() => springs({ look: { radius: 1, color: [2, 0, 0] } })).toThrowCode({
      code: 'springs/option-out-of-range',
      field: 'color',
    });
  });
});
