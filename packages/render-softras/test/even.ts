import type { Model } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import type { ImageLayout, ImageSize } from '@gradsim/render';
import { toRows } from '@gradsim/render';
import type { DeviceMesh } from '@gradsim/render/raster';
import { expect, it } from 'vitest';
import { randomTriangles } from './scenes.ts';

/**
 * Creates a model that draws a mesh in device coordinates; `softness` is the squared distance over which outlines fall
 * off.
 */
export type DrawsSoftly = (
  size: ImageSize,
  mesh: DeviceMesh,
  options: { readonly softness: number; readonly evenOutlines?: boolean },
) => { readonly model: Model; readonly layout: ImageLayout };

/** Tests that with `evenOutlines` the outlines in a picture that is not square equal those in a square one. */
export function testEvenOutlines(scene: DrawsSoftly): void {
  const draw = async (...given: Parameters<DrawsSoftly>): Promise<Float64Array> => {
    const { model, layout } = scene(...given);
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 1,
      frameRate: 1,
      substeps: 1,
      record: ['pixels.rgba'],
    });
    simulation.forward();
    const rgba = toRows(layout, await simulation.readFrames('pixels.rgba'), 4);
    simulation.dispose();
    return rgba;
  };

  it.each([
    ['lying', 2],
    ['standing', 0.5],
  ])('with evenOutlines a %s picture equals the middle of a square one', async (_, aspect) => {
    const [least, most] = [20, 40];
    const [width, height] = aspect > 1 ? [most, least] : [least, most];
    const { vertices, faces, faceColors: colors } = randomTriangles(4711, 12);
    const mesh = { vertices, faces, colors };
    // Softness is a squared distance, in halves of the height here and of either side there.
    const softness = 4e-3;
    const even = await draw({ width, height }, mesh, { softness, evenOutlines: true });
    const shrunk = vertices.map((x: number, k) => (k % 3 === (aspect > 1 ? 1 : 0) ? x / 2 : x));
    const square = await draw(
      { width: most, height: most },
      { ...mesh, vertices: shrunk },
      { softness: aspect > 1 ? softness / 4 : softness },
    );
    const [left, top] = [(most - width) / 2, (most - height) / 2];
    let soft = 0;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        for (let c = 0; c < 4; c++) {
          const value = even[4 * (y * width + x) + c];
          const wanted = square[4 * ((y + top) * most + x + left) + c];
          expect(Math.abs(value - wanted), `pixel ${x}, ${y}, channel ${c}`).toBeLessThan(1e-9);
          if (c === 3 && value > 0.01 && value < 0.99) soft++;
        }
    expect(soft).toBeGreaterThan(30);
    // In device coordinates they differ.
    const uneven = await draw({ width, height }, mesh, { softness });
    expect(Math.max(...uneven.map((value, k) => Math.abs(value - even[k])))).toBeGreaterThan(0.05);
  });
}
