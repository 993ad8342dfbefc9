import type { Model } from '@gradsim/core';
import { vec3 } from '@gradsim/core';
import type { ImageLayout } from './layout.ts';
import { gridOf } from './layout.ts';

/** Adds the domains of what cameras see: `viewVertices`, each vertex as seen by each camera, and `pixels`. */
export function addViews(model: Model, layout: ImageLayout): void {
  const vertices = model.domain('vertices').size;
  const faces = model.domain('faces').size;
  const corners = model.field('faces.corners').values!;
  const { cameras } = layout;
  const together = { elementsTogether: true };
  const each = <T>(count: number, f: (camera: number, k: number) => T): T[] =>
    Array.from({ length: cameras * count }, (_, e) => f(Math.floor(e / count), e % count));
  model.addDomain('viewVertices', cameras * vertices, together);
  model.addIndex(
    'viewVertices',
    'camera',
    'cameras',
    1,
    each(vertices, (camera) => camera),
  );
  model.addIndex(
    'viewVertices',
    'vertex',
    'vertices',
    1,
    each(vertices, (_, vertex) => vertex),
  );
  model.addField('viewVertices', 'ndc', vec3);
  addViewFaces(model, corners, cameras, vertices, faces);
  model.addDomain('pixels', layout.pixels, { elementsTogether: true, grid: gridOf(layout) });
}

/** Adds the domain `viewFaces`: each face as seen by each camera. */
export function addViewFaces(
  model: Model,
  corners: ArrayLike<number>,
  cameras: number,
  vertices: number,
  faces: number,
): void {
  const count = cameras * faces;
  const viewCorners = Uint32Array.from(
    { length: 3 * count },
    (_, k) => Math.floor(k / (3 * faces)) * vertices + corners[k % (3 * faces)],
  );
  model.addDomain('viewFaces', count, { elementsTogether: true, componentsTogether: true });
  model.addIndex('viewFaces', 'corners', 'viewVertices', 3, viewCorners);
  model.addIndex(
    'viewFaces',
    'face',
    'faces',
    1,
    Uint32Array.from({ length: count }, (_, k) => k % faces),
  );
}
