import { cross, dot, norm, subtract, type Vector, vectorAt } from '@gradsim/base';
import { diagonal, type Masses, sumOfMasses } from './masses.ts';
import type { Shape } from './shapes.ts';

/** Exponent of Thomsen's formula for the area of an ellipsoid (K. Thomsen, 2004), as MuJoCo has it. */
const THOMSEN = 1.6075;

/** Area of a shape's surface, m^2; an ellipsoid's to 1 %. */
export function surfaceAreaOf(shape: Shape): number {
  switch (shape.kind) {
    case 'box': {
      const [x, y, z] = shape.size;
      return 2 * (x * y + y * z + z * x);
    }
    case 'ellipsoid': {
      const [a, b, c] = shape.radii;
      const mean = ((a * b) ** THOMSEN + (b * c) ** THOMSEN + (c * a) ** THOMSEN) / 3;
      return 4 * Math.PI * mean ** (1 / THOMSEN);
    }
    case 'cylinder':
      return 2 * Math.PI * shape.radius * (shape.height + shape.radius);
    case 'capsule':
      return 2 * Math.PI * shape.radius * (shape.height + 2 * shape.radius);
    case 'mesh':
      return trianglesOf(shape).reduce((sum, { area }) => sum + area, 0);
  }
}

/** Mass properties of a surface of uniform density; of an ellipsoid, one whose thickness is the same along its axes. */
export function shellOf(shape: Shape, mass: number): Masses {
  const at = (inertia: number[]): Masses => ({ mass, centre: [0, 0, 0], inertia });
  switch (shape.kind) {
    case 'box':
      return sumOfMasses([0, 1, 2].flatMap((axis) => facesOf(shape.size, axis, mass / surfaceAreaOf(shape))));
    case 'ellipsoid': {
      // Of a solid whose axes grow by e each: the derivatives of volume times a^2 / 5 and of volume by e.
      const [a, b, c] = shape.radii;
      const growth = b * c + a * c + a * b;
      const second = (r: number): number => (growth * r * r + 2 * a * b * c * r) / (5 * growth);
      const [x, y, z] = [a, b, c].map((r) => mass * second(r));
      return at(diagonal(y + z, x + z, x + y));
    }
    case 'cylinder': {
      const { radius: r, height: h } = shape;
      const caps = (mass * r) / (h + r);
      const side = mass - caps;
      const across = side * (r ** 2 / 2 + h ** 2 / 12) + caps * (r ** 2 / 4 + h ** 2 / 4);
      return at(diagonal(across, across, side * r ** 2 + (caps * r ** 2) / 2));
    }
    case 'capsule': {
      // The centres of mass of half spheres are r / 2 from the plane between.
      const { radius: r, height: h } = shape;
      const ends = (mass * 2 * r) / (h + 2 * r);
      const side = mass - ends;
      const across = side * (r ** 2 / 2 + h ** 2 / 12) + ends * ((2 / 3) * r ** 2 + h ** 2 / 4 + (h * r) / 2);
      return at(diagonal(across, across, side * r ** 2 + (2 / 3) * ends * r ** 2));
    }
    case 'mesh': {
      const density = mass / surfaceAreaOf(shape);
      return sumOfMasses(trianglesOf(shape).map(({ corners, area }) => triangleMasses(corners, area * density)));
    }
  }
}

/** Both faces of a box across an axis. */
function facesOf(size: Vector, axis: number, density: number): Masses[] {
  const [u, v] = [0, 1, 2].filter((k) => k !== axis);
  const mass = density * size[u] * size[v];
  const own = [0, 0, 0];
  own[u] = (mass * size[v] ** 2) / 12;
  own[v] = (mass * size[u] ** 2) / 12;
  own[axis] = own[u] + own[v];
  return [1, -1].map((side) => {
    const centre = [0, 0, 0];
    centre[axis] = (side * size[axis]) / 2;
    return { mass, centre: centre as unknown as Vector, inertia: diagonal(own[0], own[1], own[2]) };
  });
}

interface Triangle {
  readonly corners: readonly Vector[];
  readonly area: number;
}

const trianglesOf = ({ mesh }: Extract<Shape, { kind: 'mesh' }>): Triangle[] =>
  Array.from({ length: mesh.triangles.length / 3 }, (_, t) => {
    const corners = [0, 1, 2].map((k) => vectorAt(mesh.positions, mesh.triangles[3 * t + k]));
    return { corners, area: norm(cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]))) / 2 };
  });

/** A triangle of uniform density: its second moments are those of its corners about the centre, each a twelfth. */
function triangleMasses(corners: readonly Vector[], mass: number): Masses {
  const centre = [0, 1, 2].map((c) => corners.reduce((sum, p) => sum + p[c] / 3, 0)) as unknown as Vector;
  const arms = corners.map((corner) => subtract(corner, centre));
  const inertia = Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return arms.reduce((sum, d) => sum + (mass / 12) * ((i === j ? dot(d, d) : 0) - d[i] * d[j]), 0);
  });
  return { mass, centre, inertia };
}

/** True if no corner of a mesh lies outside of the plane of a face, so that it is its own convex hull. */
export function isConvex(shape: Extract<Shape, { kind: 'mesh' }>): boolean {
  const { positions } = shape.mesh;
  const points = Array.from({ length: positions.length / 3 }, (_, k) => vectorAt(positions, k));
  const size = Math.max(...points.map((p) => norm(subtract(p, points[0]))));
  return trianglesOf(shape).every(({ corners: [a, b, c] }) => {
    const normal = cross(subtract(b, a), subtract(c, a));
    return points.every((p) => dot(normal, subtract(p, a)) <= 1e-7 * size * norm(normal));
  });
}

/** True if all faces are seen from one point, from outside none: sums of absolute volumes from there are then exact. */
export function isSeenFrom(shape: Extract<Shape, { kind: 'mesh' }>, point: Vector): boolean {
  return trianglesOf(shape).every(({ corners: [a, b, c] }) => {
    const [u, v, w] = [a, b, c].map((p) => subtract(p, point));
    return dot(u, cross(v, w)) >= -1e-9 * norm(u) * norm(v) * norm(w);
  });
}

/** Mean of the centres of faces, weighted by their areas. */
export function faceCentre(shape: Extract<Shape, { kind: 'mesh' }>): Vector {
  const all = trianglesOf(shape);
  const total = all.reduce((sum, { area }) => sum + area, 0);
  return [0, 1, 2].map((c) =>
    all.reduce((sum, { corners, area }) => sum + (area / total) * corners.reduce((own, p) => own + p[c] / 3, 0), 0),
  ) as unknown as Vector;
}
