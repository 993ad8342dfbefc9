import { buildModel, createScene, createSimulation, definePlugin, f64Device, Surfaces, vec3 } from '@gradsim/core';
import { LookAtCamera, render } from '@gradsim/render';
import { expect, it } from 'vitest';
import { softRas } from '../src/index.ts';

/**
 * Draws a triangle with a camera at the origin that looks along -z; the third corner is at distance `ahead` in front of
 * it.
 */
async function drawn(ahead: number): Promise<{ pixels: Float64Array; gradient: Float64Array }> {
  const triangle = definePlugin({
    name: 'triangle',
    contract: 1,
    offers: [Surfaces],
    build: ({ model }) => {
      model.addDomain('points', 3);
      const position = model.addField('points', 'position', vec3, {
        values: [-0.6, -0.3, -2, 0.6, -0.35, -2, 0.2, 0.4, -ahead],
      });
      model.offer(Surfaces, { position, triangles: [0, 1, 2], triangleColors: [1, 0.5, 0] });
    },
  });
  const scene = createScene([
    triangle,
    render({ width: 24, height: 24, camera: LookAtCamera }),
    softRas({ gamma: 0.01 }),
  ]);
  scene.add(LookAtCamera, { eye: [0, 0, 0], target: [0, 0, -1], fieldOfView: 1 });
  const parameters = ['points.position', 'cameras.fieldOfView', 'cameras.eye'];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 1,
    frameRate: 30,
    substeps: 1,
    record: ['pixels.rgba'],
    parameters,
  });
  simulation.forward();
  const pixels = await simulation.readFrames('pixels.rgba');
  simulation.backward({ 'pixels.rgba': pixels.map((_, k) => Math.sin(k)) });
  const gradients = await Promise.all(parameters.map((key) => simulation.gradient(key)));
  simulation.dispose();
  return { pixels, gradient: Float64Array.from(gradients.flatMap((gradient) => [...gradient])) };
}

it('a corner in the plane of the camera is drawn like one slightly before or behind it, with the same gradient', async () => {
  const on = await drawn(0);
  const covered = on.pixels.filter((value, k) => k % 4 === 3 && value > 0.5).length;
  expect(covered).toBeGreaterThan(20);
  expect(covered).toBeLessThan(24 * 24);
  expect(Math.hypot(...on.gradient)).toBeGreaterThan(1e-2);
  for (const ahead of [-1e-7, 1e-7]) {
    const beside = await drawn(ahead);
    beside.pixels.forEach((value, k) => void expect(Math.abs(value - on.pixels[k])).toBeLessThan(1e-4));
    beside.gradient.forEach((g, k) => {
      expect(Math.abs(g - on.gradient[k])).toBeLessThan(1e-3 * Math.hypot(...on.gradient));
    });
  }
});
