import type { F32 } from '@gradsim/core';
import { abs, f32, fieldOn, index, kernel, mat33, select, vec2, vec3, vec4 } from '@gradsim/core';
import { distorted } from './cameras.ts';

/** Minimum magnitude of depth, m, by which projections divide, so that they stay finite. */
const MIN_DEPTH = 1e-4;

/** Replaces a depth of less than `MIN_DEPTH` in magnitude by `MIN_DEPTH` with the same sign. */
export const awayFromZero = (z: F32): F32 =>
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
      viewPosition: fieldOn('cameras', vec3),
      viewAxes: fieldOn('cameras', mat33),
      lens: fieldOn('cameras', vec4),
      lensEdge: fieldOn('cameras', f32),
      distortion: fieldOn('cameras', vec2),
      k3: fieldOn('cameras', f32),
      tangential: fieldOn('cameras', vec2),
    },
    writes: { ndc: vec3 },
  },
  ({ camera, vertex, position, viewPosition, viewAxes, lens, ...terms }) => {
    const { x, y, z } = viewAxes.at(camera).mul(position.at(vertex).sub(viewPosition.at(camera)));
    const { x: sx, y: sy, z: ox, w: oy } = lens.at(camera);
    const overDepth = f32(1).div(awayFromZero(z));
    const [u, v] = distorted(x.mul(overDepth), y.mul(overDepth), {
      distortion: terms.distortion.at(camera),
      k3: terms.k3.at(camera),
      tangential: terms.tangential.at(camera),
      lensEdge: terms.lensEdge.at(camera),
    });
    return { ndc: vec3(u.mul(sx).add(ox), v.mul(sy).add(oy), z) };
  },
);
