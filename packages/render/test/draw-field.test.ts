import type { Model } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import type { DrawFieldOptions } from '@gradsim/render';
import { drawField, layoutOf, Pixel, toRows } from '@gradsim/render';
import { describe, expect, it } from 'vitest';

const Cell = defineComponent('cells', { heat: column(f32) });
const cells = definePlugin({ name: 'cells', contract: 1, components: [Cell], build: () => {} });
const [rows, columns] = [3, 5];
const heat = Array.from({ length: rows * columns }, (_, k) => Math.sin(1 + 2 * k));

function modelOf(options: Partial<DrawFieldOptions> = {}): Model {
  // The drawing plugin may be registered first.
  const scene = createScene([drawField({ field: Cell.heat, rows, columns, ...options }), cells]);
  scene.addMany(Cell, rows * columns, { heat });
  return buildModel(scene);
}
async function picture(options: Partial<DrawFieldOptions> = {}): Promise<Float64Array> {
  const model = modelOf(options);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: [Pixel.rgba],
  });
  simulation.forward();
  const rgba = toRows(layoutOf(model), await simulation.readFrames(Pixel.rgba), 4);
  simulation.dispose();
  return rgba;
}

describe('a field as a picture', () => {
  it('has one pixel per cell, whose colour interpolates between background and foreground by the value', async () => {
    const rgba = await picture({ from: -1, to: 3, backgroundColor: [0.2, 0, 1], color: [0, 0.5, 1] });
    heat.forEach((h, k) => {
      const shade = (h + 1) / 4;
      [0.2 * (1 - shade), 0.5 * shade, 1, shade].forEach((c, channel) => {
        expect(rgba[4 * k + channel]).toBeCloseTo(c, 12);
      });
    });
  });

  it('of another size than the grid is interpolated between the centres of cells', async () => {
    const rgba = await picture({ width: 10, height: 3 });
    const alpha = (x: number, y: number): number => rgba[4 * (y * 10 + x) + 3];
    expect(alpha(0, 1)).toBeCloseTo(heat[5], 12);
    // Pixel 3 has its centre at 3.5 / 2 - 0.5 = 1.25 cells.
    expect(alpha(3, 1)).toBeCloseTo(0.75 * heat[6] + 0.25 * heat[7], 12);
    expect(alpha(9, 2)).toBeCloseTo(heat[14], 12);
  });

  it('has derivatives that agree with differences', async () => {
    const options = {
      frames: 1,
      frameRate: 1,
      substeps: 1,
      parameters: [Cell.heat],
      outputs: ['pixels.rgba'],
    };
    await checkGradients(modelOf({ width: 7, height: 4 }), options);
  });

  it('is refused for a wrong number of cells, from = to, a width of 0, or a colour of two numbers', () => {
    expect(() => modelOf({ rows: 4 })).toThrowCode({
      code: 'render/wrong-size',
      field: 'cells.heat',
      values: [15, 4, 20],
    });
    expect(() => modelOf({ from: 2, to: 2 })).toThrowCode({ code: 'render/option-out-of-range', values: [2] });
    expect(() => modelOf({ width: 0 })).toThrowCode({ code: 'render/picture-size', values: ['width'] });
    expect(() => modelOf({ color: [1, 2] as unknown as [number, number, number] })).toThrowCode('render/wrong-size');
  });
});
