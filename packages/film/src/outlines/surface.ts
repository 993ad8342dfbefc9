import type { F32, Kernel, Model, Vec2 } from '@gradsim/core';
import { dot, f32, field, fieldOn, forRange, index, kernel, max, select, sqrt, vec2, vec3, vec4 } from '@gradsim/core';
import { addSurfaces, CAMERA_PORTS, distorted, lensTermsOf } from '@gradsim/render';
import type { Size } from '@gradsim/video';
import { outlineBias, outlineCentroidAndSize, outlineDirection, outlineReach } from './fields.ts';

const cross = (a: Vec2, b: Vec2): F32 => a.x.mul(b.y).sub(a.y.mul(b.x));

/** Position of a vertex in the picture, px from the left and the upper edge. */
const seenAt = field('vertices', 'seenAt', vec2, { unit: 'px' });
/** Sums over the triangles that face the camera: the outline's area, px^2, and the area times its centroid, px^3. */
const outlineArea = field('world', 'outlineArea', f32, { unit: 'px^2' });
const outlineMoment = field('world', 'outlineMoment', vec2, { unit: 'px^3' });
/** Vertex indices of the triangles' edges, each edge once; and the edges' ends in the picture. */
const edgeEnds = field('outlineEdges', 'ends', index('vertices', 2));
const edgeLine = field('outlineEdges', 'line', vec4, { unit: 'px' });

/** Adds the outline of a model's surfaces, which must be closed, and of which no part may hide another. */
export function addSurfaceOutline(model: Model, size: Size): void {
  addSurfaces(model, 'face');
  model.addField(seenAt);
  model.addAccumulator(outlineArea);
  model.addAccumulator(outlineMoment);
  model.addPass('observe', seeVertices(size));
  model.addPass('observe', coverFaces);
  model.addPass('observe', middleOfFaces);
  const edges = edgesOf(model.field('faces.corners').values!);
  model.addDomain(edgeEnds.domain, edges.length / 2);
  model.addIndex(edgeEnds, edges);
  model.addField(edgeLine);
  model.addPass('observe', drawEdges);
  model.addPass('observe', reachOfEdges(edges.length / 2));
}

const seeVertices = ({ width, height }: Size): Kernel =>
  kernel(
    'seeVertices',
    {
      domain: 'vertices',
      reads: {
        position: vec3,
        ...CAMERA_PORTS,
      },
      writes: { seen: seenAt },
    },
    ({ position, viewPosition, viewAxes, lens, ...terms }) => {
      const { x, y, z } = viewAxes.at(0).mul(position.sub(viewPosition.at(0)));
      const [u, v] = distorted(x.div(z), y.div(z), lensTermsOf(terms, 0));
      const at = lens.at(0);
      return {
        seen: vec2(
          at.x
            .mul(u)
            .add(at.z)
            .add(1)
            .mul(width / 2),
          f32(1)
            .sub(at.y.mul(v).add(at.w))
            .mul(height / 2),
        ),
      };
    },
  );

/**
 * Adds a triangle's area and first moments to the outline's: the triangles that face the camera cover the outline once.
 */
const coverFaces = kernel(
  'coverFaces',
  {
    domain: 'faces',
    reads: { corners: index('vertices', 3), seenAt },
    adds: { area: outlineArea, moment: outlineMoment },
  },
  ({ corners, seenAt, area, moment }) => {
    // Moments about a point of the thing itself lose no digits.
    const origin = seenAt.at(0);
    const [a, b, c] = corners.map((corner) => seenAt.at(corner).sub(origin));
    // Counter-clockwise seen from outside is clockwise where y goes downwards.
    const own = max(cross(b.sub(a), c.sub(a)).mul(-0.5), 0);
    area.add(own);
    moment.add(a.add(b).add(c).mul(own.div(3)));
  },
);

const middleOfFaces = kernel(
  'drawOutline',
  {
    domain: 'world',
    reads: { seenAt, area: outlineArea, moment: outlineMoment, shift: outlineBias },
    writes: { outlineCentroidAndSize },
  },
  ({ seenAt, area, moment, shift }) => {
    const { x, y } = seenAt.at(0).add(moment.div(area));
    return { outlineCentroidAndSize: vec3(x, y, sqrt(area.div(Math.PI))).add(shift) };
  },
);

const drawEdges = kernel(
  'drawEdges',
  {
    domain: edgeEnds.domain,
    reads: { ends: edgeEnds, seenAt, outline: outlineCentroidAndSize, shift: outlineBias },
    writes: { line: edgeLine },
  },
  ({ ends, seenAt, outline, shift }) => {
    // From the outline's own middle.
    const middle = vec2(outline.x.sub(shift.x), outline.y.sub(shift.y));
    const [from, to] = ends.map((end) => seenAt.at(end).sub(middle));
    return { line: vec4(from.x, from.y, to.x, to.y) };
  },
);

/** Computes the distance from the outline's middle to the last crossing of a ray with an edge. */
const reachOfEdges = (edges: number): Kernel =>
  kernel(
    'reachOfOutline',
    {
      domain: outlineReach.domain,
      reads: { direction: outlineDirection, line: fieldOn(edgeLine), shift: outlineBias },
      writes: { reach: outlineReach },
    },
    ({ direction, line, shift }) => {
      const farthest = forRange(0, edges, f32(0), (k, reach) => {
        const { x: a, y: b, z: c, w: d } = line.at(k);
        const [from, to] = [vec2(a, b), vec2(c, d)];
        const [here, there] = [cross(direction, from), cross(direction, to)];
        const isCrossed = here.gt(0).ne(there.gt(0));
        const part = here.div(select(isCrossed, here.sub(there), f32(1)));
        const along = dot(direction, from.add(to.sub(from).mul(part)));
        return select(isCrossed.and(along.gt(reach)), along, reach);
      });
      return { reach: farthest.add(shift.z) };
    },
  );

/** Edges as pairs of vertex indices, each once. */
function edgesOf(triangles: ArrayLike<number>): number[] {
  const seen = new Set<string>();
  const edges: number[] = [];
  for (let k = 0; k < triangles.length; k++) {
    const ends = [triangles[k], triangles[k - (k % 3) + ((k + 1) % 3)]];
    const key = ends.toSorted((a, b) => a - b).join();
    if (seen.has(key)) continue;
    seen.add(key);
    edges.push(...ends);
  }
  return edges;
}
