import type { FieldOptions, Model as ModelType } from '@gradsim/core';
import { Model, mat33, vec3 } from '@gradsim/core';
import type { ImageLayout, ImageSize } from '@gradsim/render';
import { addViewFaces, imageLayout } from '@gradsim/render';
import type { Drawing, SoftRasOptions } from './options.ts';
import { softRasOptions } from './options.ts';
import { addRasterPasses } from './passes.ts';

/** A mesh that is in device coordinates already. */
export interface DeviceMesh {
  /** Device x, y (right and up, -1 to 1) and depth of every vertex; for several cameras, one set after another. */
  readonly vertices: ArrayLike<number>;
  /** Three vertices a face. */
  readonly faces: ArrayLike<number>;
  /** Red, green, blue of every face; with `colors: 'corner'`, of every corner of every face. Default white. */
  readonly colors?: ArrayLike<number>;
}

/**
 * A model that is nothing but the rasteriser: vertices in device coordinates and colours are its inputs,
 * `viewVertices.ndc`, `faces.color` and `world.background` (or `pixels.background`), pictures its outputs.
 *
 * ```ts
 * const { model, layout } = deviceScene({ width: 64, height: 64 }, { vertices, faces });
 * const simulation = await createSimulation(model, {
 *   device, frames: 1, frameRate: 1, substeps: 1, record: ['pixels.rgba'], parameters: ['viewVertices.ndc'],
 * });
 * ```
 */
export function deviceScene(
  size: ImageSize,
  mesh: DeviceMesh,
  options: SoftRasOptions = {},
  drawings: readonly Drawing[] = ['color'],
  background: readonly number[] = [0, 0, 0],
): { model: ModelType; layout: ImageLayout } {
  const settings = softRasOptions(options);
  const layout = imageLayout(size);
  const faces = mesh.faces.length / 3;
  const views = mesh.vertices.length / 3;
  const model = new Model();
  model.addDomain('viewVertices', views, { elementsTogether: true });
  model.addDomain('faces', faces, { elementsTogether: true });
  model.addDomain('pixels', layout.pixels, { elementsTogether: true });
  model.addField('viewVertices', 'ndc', vec3, { values: mesh.vertices });
  const given: FieldOptions = mesh.colors ? { values: mesh.colors } : { fill: 1 };
  model.addField('faces', 'color', settings.colors === 'face' ? vec3 : mat33, given);
  addViewFaces(model, mesh.faces, layout.cameras, views / layout.cameras, faces);
  addRasterPasses(model, { layout, faces }, settings, drawings, background);
  return { model, layout };
}
