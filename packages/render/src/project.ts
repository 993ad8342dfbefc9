import type { F32 } from '@gradsim/core';
import { abs, f32, fieldOn, index, kernel, select, vec3 } from '@gradsim/core';
import { CAMERA_PORTS, distorted, lensTermsOf } from './cameras.ts';

/** Minimum magnitude of depth, m, by which projections divide, so that they stay finite. */
const MIN_DEPTH = 1e-4;

/** Replaces a depth of less than `MIN_DEPTH` in magnitude by `MIN_DEPTH` with the same sign. */
export const boundedDepth = (z: F32): F32 =>
  select(abs(z).gt(MIN_DEPTH), z, select(z.lt(0), f32(-MIN_DEPTH), f32(MIN_DEPTH)));

/**
 * Kernel over `viewVertices` that projects each vertex for each camera: device x and y, and depth along the viewing
 * axis, m. A vertex behind the camera is projected along the line through it and the camera's position, and has a
 * negative depth; outline kernels derive the visible part of its faces from these.
 */
export const project = kernel(
  'project',
  {
    domain: 'viewVertices',
    reads: {
      camera: index('cameras'),
      vertex: index('vertices'),
      position: fieldOn('vertices', vec3),
      ...CAMERA_PORTS,
    },
    writes: { ndc: vec3 },
  },
  ({ camera, vertex, position, viewPosition, viewAxes, lens, ...terms }) => {
    const { x, y, z } = viewAxes.at(camera).mul(position.at(vertex).sub(viewPosition.at(camera)));
    const { x: sx, y: sy, z: ox, w: oy } = lens.at(camera);
    const overDepth = f32(1).div(boundedDepth(z));
    const [u, v] = distorted(x.mul(overDepth), y.mul(overDepth), lensTermsOf(terms, camera));
    return { ndc: vec3(u.mul(sx).add(ox), v.mul(sy).add(oy), z) };
  },
);
