import { add, cross, dot, normalize, scale, subtract, type Vector, vectorAt } from '@gradsim/base';
import type { TriangleMesh } from '@gradsim/mesh';

/** Position of a camera, and its axes of unit length. */
export interface Viewpoint {
  readonly eye: Vector;
  readonly right: Vector;
  readonly up: Vector;
  readonly ahead: Vector;
  /** Vertical angle of view, rad. */
  readonly fieldOfView: number;
}

/** Look of a mesh of one colour, by Lambert's law, before a background. */
export interface Look {
  readonly albedo: Vector;
  readonly background: Vector;
  readonly ambient: number;
  readonly diffuse: number;
  /** Direction towards the light, of unit length. */
  readonly light: Vector;
  /** True if faces are lit on both sides. */
  readonly twoSided: boolean;
}

/** Viewpoint of a camera on an orbit about `target`. */
export function orbitViewpoint(
  target: Vector,
  { distance, elevation, azimuth }: Readonly<Record<'distance' | 'elevation' | 'azimuth', number>>,
  fieldOfView: number,
): Viewpoint {
  const [ce, se, ca, sa] = [Math.cos(elevation), Math.sin(elevation), Math.cos(azimuth), Math.sin(azimuth)];
  const outward: Vector = [ce * sa, se, ce * ca];
  return {
    eye: add(target, scale(outward, distance)),
    right: [ca, 0, -sa],
    up: [-se * sa, ce, -se * ca],
    ahead: scale(outward, -1),
    fieldOfView,
  };
}

/**
 * Photographs a mesh by casting rays: red, green, blue and alpha of `size` x `size` pixels, row by row from the top.
 * Each pixel is the mean over `samples` x `samples` rays, evenly spread over its area.
 */
export function castPicture(
  { positions, triangles }: TriangleMesh,
  { albedo, background, ambient, diffuse, light, twoSided }: Look,
  { eye, right, up, ahead, fieldOfView }: Viewpoint,
  size: number,
  samples: number,
): Float64Array {
  const side = size * samples;
  const depth = new Float64Array(side * side).fill(Number.POSITIVE_INFINITY);
  const shade = new Float64Array(side * side);
  const extent = Math.tan(fieldOfView / 2);
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => subtract(vectorAt(positions, triangles[t + k]), eye));
    const [a, b, c] = corners;
    const normal = cross(subtract(b, a), subtract(c, a));
    const cosine = dot(normalize(normal), light);
    const lit = ambient + diffuse * (twoSided ? Math.abs(cosine) : Math.max(0, cosine));
    // A ray r = ahead + x right + y up passes a face where a x b . r, b x c . r and c x a . r have one sign.
    const turns = [cross(a, b), cross(b, c), cross(c, a)].map((turn) =>
      [right, up, ahead].map((axis) => dot(turn, axis)),
    );
    const slope = [right, up, ahead].map((axis) => dot(normal, axis));
    const height = dot(normal, a);
    const bounds = (axis: Vector): readonly [number, number] => {
      const all = corners.map((p) => ((dot(p, axis) / (dot(p, ahead) * extent) + 1) / 2) * side);
      return [Math.max(0, Math.floor(Math.min(...all)) - 1), Math.min(side - 1, Math.ceil(Math.max(...all)) + 1)];
    };
    const [columns, rows] = [bounds(right), bounds(scale(up, -1))];
    for (let row = rows[0]; row <= rows[1]; row++)
      for (let column = columns[0]; column <= columns[1]; column++) {
        const [x, y] = [extent * ((2 * column + 1) / side - 1), extent * (1 - (2 * row + 1) / side)];
        const [p, q, r] = turns.map(([ofX, ofY, ofOne]) => ofX * x + ofY * y + ofOne);
        if (!((p >= 0 && q >= 0 && r >= 0) || (p <= 0 && q <= 0 && r <= 0))) continue;
        const z = height / (slope[0] * x + slope[1] * y + slope[2]);
        const at = row * side + column;
        if (!(z > 0) || z >= depth[at]) continue;
        depth[at] = z;
        shade[at] = lit;
      }
  }
  const picture = new Float64Array(4 * size * size);
  for (let at = 0; at < depth.length; at++) {
    const [row, column] = [Math.floor(at / side), at % side];
    const pixel = 4 * (Math.floor(row / samples) * size + Math.floor(column / samples));
    const isSeen = depth[at] < Number.POSITIVE_INFINITY;
    for (let k = 0; k < 3; k++) picture[pixel + k] += (isSeen ? shade[at] * albedo[k] : background[k]) / samples ** 2;
    picture[pixel + 3] += Number(isSeen) / samples ** 2;
  }
  return picture;
}
