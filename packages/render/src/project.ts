import { f32, index, kernel, mat33, on, select, vec3, vec4 } from '@gradsim/core';

/** Vertices at a smaller depth than this lie behind the camera or in its plane: they have no place in the picture. */
export const LEAST_DEPTH = 1e-6;

/**
 * Vertices as each camera sees them, over `viewVertices`: device x and y, and depth along the viewing axis. A vertex
 * that is not in front of the camera keeps its depth, so that renderers can tell, and gets no derivative.
 */
export const project = kernel(
  'project',
  {
    domain: 'viewVertices',
    reads: {
      camera: index('cameras'),
      vertex: index('vertices'),
      position: on('vertices', vec3),
      viewPosition: on('cameras', vec3),
      viewAxes: on('cameras', mat33),
      lens: on('cameras', vec4),
    },
    writes: { ndc: vec3 },
  },
  ({ camera, vertex, position, viewPosition, viewAxes, lens }) => {
    const { x, y, z } = viewAxes.at(camera).mul(position.at(vertex).sub(viewPosition.at(camera)));
    const { x: sx, y: sy, z: ox, w: oy } = lens.at(camera);
    const overDepth = f32(1).div(select(z.gt(LEAST_DEPTH), z, f32(1)));
    return { ndc: vec3(x.mul(overDepth).mul(sx).add(ox), y.mul(overDepth).mul(sy).add(oy), z) };
  },
);
