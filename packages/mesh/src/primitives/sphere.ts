import { refuseUnknownOptions } from '@gradsim/base';
import type { TriangleMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths } from './dimensions.ts';
import { revolve } from './revolve.ts';

/**
 * A sphere about the origin of nearly equal triangles: an icosahedron whose triangles are repeatedly split into four,
 * with every vertex on the sphere. It has 20 * 4^subdivisions triangles: 320 for 2, 1280 for 3.
 *
 * @example
 * const ball = icosphere({ radius: 0.02, subdivisions: 2 });
 */
export function icosphere({ radius = 1, subdivisions = 2, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('icosphere', others, { radius: true, subdivisions: true });
  checkLengths('icosphere', { radius });
  checkCount('icosphere', 'subdivisions', subdivisions, 0);
  checkElementCount('icosphere', 'triangles', 20 * 4 ** subdivisions);
  const g = (1 + Math.sqrt(5)) / 2;
  // biome-ignore format: a table of vertices and one of triangles
  let points: number[][] = [
    [-1, g, 0], [1, g, 0], [-1, -g, 0], [1, -g, 0], [0, -1, g], [0, 1, g],
    [0, -1, -g], [0, 1, -g], [g, 0, -1], [g, 0, 1], [-g, 0, -1], [-g, 0, 1],
  ];
  // biome-ignore format: as above
  let faces: number[][] = [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
    [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
  ];
  points = points.map(onUnitSphere);
  for (let s = 0; s < subdivisions; s++) faces = subdivide(points, faces);
  return {
    name: 'icosphere',
    positions: Float64Array.from(points.flat(), (x) => x * radius),
    triangles: Uint32Array.from(faces.flat()),
  };
}

function onUnitSphere(point: number[]): number[] {
  const length = Math.hypot(...point);
  return point.map((x) => x / length);
}

/** Splits every triangle into four at the midpoints of its edges, and appends these midpoints to the points. */
function subdivide(points: number[][], faces: number[][]): number[][] {
  const middles = new Map<number, number>();
  // Faces refer to existing points, so a pair can be encoded as one number.
  const base = points.length;
  const middle = (a: number, b: number): number => {
    const key = a < b ? a * base + b : b * base + a;
    let index = middles.get(key);
    if (index === undefined) {
      index = points.push(onUnitSphere([0, 1, 2].map((axis) => points[a][axis] + points[b][axis]))) - 1;
      middles.set(key, index);
    }
    return index;
  };
  return faces.flatMap(([a, b, c]) => {
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    return [
      [a, ab, ca],
      [b, bc, ab],
      [c, ca, bc],
      [ab, bc, ca],
    ];
  });
}

/**
 * A sphere about the origin, divided into `rings` along the latitude and `segments` along the longitude, with its poles
 * on the y axis.
 *
 * @example
 * const globe = uvSphere({ radius: 1, segments: 32, rings: 16 });
 */
export function uvSphere({ radius = 1, segments = 32, rings = 16, ...others } = {}): TriangleMesh {
  refuseUnknownOptions('uvSphere', others, { radius: true, segments: true, rings: true });
  checkLengths('uvSphere', { radius });
  checkCount('uvSphere', 'segments', segments, 3);
  checkCount('uvSphere', 'rings', rings, 2);
  checkElementCount('uvSphere', 'triangles', 2 * segments * (rings - 1));
  const profile = Array.from({ length: rings + 1 }, (_, i): [number, number] => {
    const latitude = Math.PI * (i / rings - 0.5);
    return [radius * Math.cos(latitude), radius * Math.sin(latitude)];
  });
  return revolve('uvSphere', profile, segments);
}
