import type { FieldOptions } from '@gradsim/core';
import { Model, mat33, vec3 } from '@gradsim/core';
import type { ImageSize } from '../layout.ts';
import { imageLayout } from '../layout.ts';
import { addViewFaces } from '../plugin.ts';
import type { RasterShape } from './shape.ts';

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
 * A model of nothing but a mesh as cameras see it, to which a renderer adds its passes: vertices in device coordinates and
 * colours are its inputs, `viewVertices.ndc` and `faces.color`.
 *
 * @throws for sizes of pictures that {@link imageLayout} refuses.
 */
export function deviceModel(
  size: ImageSize,
  mesh: DeviceMesh,
  colors: 'face' | 'corner',
): { model: Model; shape: RasterShape } {
  const layout = imageLayout(size);
  const faces = mesh.faces.length / 3;
  const views = mesh.vertices.length / 3;
  const model = new Model();
  model.addDomain('viewVertices', views, { elementsTogether: true });
  model.addDomain('faces', faces, { elementsTogether: true });
  model.addDomain('pixels', layout.pixels, { elementsTogether: true });
  model.addField('viewVertices', 'ndc', vec3, { values: mesh.vertices });
  const given: FieldOptions = mesh.colors ? { values: mesh.colors } : { fill: 1 };
  model.addField('faces', 'color', colors === 'face' ? vec3 : mat33, given);
  addViewFaces(model, mesh.faces, layout.cameras, views / layout.cameras, faces);
  return { model, shape: { layout, faces } };
}
