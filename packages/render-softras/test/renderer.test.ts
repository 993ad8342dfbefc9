import { buildModel, createScene, createSimulation, definePlugin, f64Device, Surfaces, vec3 } from '@gradsim/core';
import { layoutOf, OrbitCamera, render, toRows } from '@gradsim/render';
import { describe, expect, it } from 'vitest';
import { softRas } from '../src/index.ts';

/** Plugin with a static square in the plane z = 0. */
const square = definePlugin({
  name: 'square',
  contract: 1,
  offers: [Surfaces],
  build: ({ model }) => {
    model.addDomain('points', 4);
    const position = model.addField('points', 'position', vec3, {
      values: [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0],
    });
    model.offer(Surfaces, {
      position,
      triangles: [0, 1, 2, 0, 2, 3],
      triangleColors: [1, 0, 0, 0, 0, 1],
    });
  },
});

describe('softRas in a scene', () => {
  it.each(['face', 'corner'] as const)(
    "draws the cameras' views, with derivatives by camera, shape and colour (colours per %s) that agree with differences",
    async (colors) => {
      const scene = createScene([
        square,
        render({ width: 24, height: 16, colors }),
        softRas({ sigma: 0.3, gamma: 0.1 }),
      ]);
      scene.add(OrbitCamera, { distance: 2, elevation: 0.2 });
      scene.add(OrbitCamera, { distance: 3, azimuth: 0.5 });
      const model = buildModel(scene);
      const albedo = colors === 'face' ? 'faces.albedo' : 'vertices.albedo';
      const parameters = ['points.position', 'cameras.distance', 'cameras.elevation', albedo, 'world.background'];
      const simulation = await createSimulation(model, {
        device: f64Device(),
        frames: 1,
        frameRate: 1,
        substeps: 1,
        worlds: 2,
        parameters,
        record: ['pixels.rgba'],
      });
      simulation.forward();
      const pixels = await simulation.readFrames('pixels.rgba');
      // Worlds, cameras, rows, columns.
      const rows = toRows(layoutOf(model), pixels, 4);
      expect(rows.length).toBe(2 * 2 * 16 * 24 * 4);
      const at = (x: number, y: number, c: number): number => rows[(y * 24 + x) * 4 + c];
      if (colors === 'face') {
        // The first triangle, red, is the lower right one.
        expect(at(14, 11, 0)).toBeGreaterThan(at(14, 11, 2));
        expect(at(9, 4, 2)).toBeGreaterThan(at(9, 4, 0));
      }
      const weights = pixels.map((_, k) => (k < pixels.length / 2 ? Math.sin(k) : 0));
      simulation.backward({ 'pixels.rgba': weights });
      const gradients = await Promise.all(parameters.map((key) => simulation.gradient(key)));
      for (const [p, key] of parameters.entries()) {
        const base = Float64Array.from(model.field(key).values!);
        const largest = Math.max(1e-3, ...gradients[p].map(Math.abs));
        for (let k = 0; k < base.length; k++) {
          let least = Number.POSITIVE_INFINITY;
          for (const step of [1e-5, 1e-6]) {
            const loss = async (x: number): Promise<number> => {
              simulation.set(key, base.with(k, x));
              simulation.forward();
              return (await simulation.readFrames('pixels.rgba')).reduce((sum, v, e) => sum + v * weights[e], 0);
            };
            const difference = ((await loss(base[k] + step)) - (await loss(base[k] - step))) / (2 * step);
            least = Math.min(least, Math.abs(difference - gradients[p][k]) / largest);
          }
          expect(least, `${key}[${k}] ${gradients[p][k]}`).toBeLessThan(1e-5);
          // The other world does not enter the loss.
          expect(gradients[p][base.length + k]).toBe(0);
        }
        simulation.set(key, base);
      }
    },
  );

  it('requires the plugin render', () => {
    expect(() => createScene([softRas()])).toThrowCode({ code: 'core/plugin-missing', values: ['@gradsim/render'] });
  });
});
