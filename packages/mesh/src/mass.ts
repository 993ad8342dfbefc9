import { cross, describeValue, dot, GradsimError, refuseUnknownOptions, subtract } from '@gradsim/base';
import { cornersOf } from './elements.ts';
import { type TriangleMesh, triangleCount, vertexCount } from './mesh.ts';
import { checkSolid } from './solid.ts';

/** Mass, centre of mass and inertia of a body. */
export interface MassProperties {
  /** Mass in kg. */
  mass: number;
  /** Volume in m3; 0 for point masses. */
  volume: number;
  /** Centre of mass in metres, in the coordinates of the mesh. */
  centerOfMass: readonly [number, number, number];
  /** Inertia tensor about the centre of mass, in kg m2: 3 x 3, symmetric, row by row. */
  inertia: Float64Array;
}

/**
 * Exact mass properties of the solid that a closed mesh encloses, of uniform density. Volume and first and second
 * moments are sums over signed tetrahedra (divergence theorem; B. Mirtich, "Fast and accurate computation of polyhedral
 * mass properties", 1996). They are taken about a point inside the mesh and then transformed to the centre of mass, so
 * that a mesh far from the origin loses no digits.
 *
 * @param densityOrMass density in kg/m3, or the mass in kg.
 *
 * @param densityOrMass density in kg/m3, or the mass in kg.
 *
 * @example
 * const { mass, inertia } = massProperties(box({ size: [1, 2, 3] }), { density: 1000 });
 *
 * @throws GradsimError when the mesh is open, degenerate or inside out, or density or mass is not positive.
 */
export function massProperties(
  mesh: TriangleMesh,
  densityOrMass: { density: number } | { mass: number },
): MassProperties {
  refuseUnknownOptions('massProperties', densityOrMass, { density: true, mass: true });
  const [quantity, value] =
    'density' in densityOrMass ? ['density', densityOrMass.density] : ['mass', densityOrMass.mass];
  checkPositive(mesh, quantity, value);
  checkSolid(mesh);
  const origin = meanVertex(mesh);
  const { volume, first, second } = volumeMoments(mesh, origin);
  const density = 'density' in densityOrMass ? densityOrMass.density : densityOrMass.mass / volume;
  const mass = density * volume;
  const mean = first.map((moment) => moment / volume);
  const covariance = second.map((moment, k) => moment - volume * mean[Math.floor(k / 3)] * mean[k % 3]);
  return {
    mass,
    volume,
    centerOfMass: [origin[0] + mean[0], origin[1] + mean[1], origin[2] + mean[2]],
    inertia: inertiaOf(covariance.map((moment) => density * moment)),
  };
}

/**
 * Mass properties of point masses at the vertices of a mesh, as in mass-spring codes.
 *
 * @param densityOrMass total mass of all vertices, shared equally, or the mass of each; in kg.
 *
 * @throws GradsimError when a mass is not positive or the number of masses is not that of vertices.
 */
export function pointMassProperties(
  mesh: TriangleMesh,
  densityOrMass: { mass: number } | { masses: ArrayLike<number> },
): MassProperties {
  refuseUnknownOptions('pointMassProperties', densityOrMass, { mass: true, masses: true });
  const count = vertexCount(mesh);
  const masses =
    'masses' in densityOrMass
      ? Array.from(densityOrMass.masses)
      : Array<number>(count).fill(densityOrMass.mass / count);
  if (masses.length !== count) {
    throw new GradsimError(
      'mesh/wrong-size',
      `${mesh.name ?? 'The mesh'} has ${count} vertices, but ${masses.length} masses are given.`,
    );
  }
  masses.forEach((mass, v) => {
    checkPositive(mesh, `mass of vertex ${v}`, mass);
  });
  const mass = masses.reduce((sum, m) => sum + m, 0);
  const at = (v: number, axis: number) => mesh.positions[3 * v + axis];
  const center = [0, 1, 2].map((axis) => masses.reduce((sum, m, v) => sum + m * at(v, axis), 0) / mass);
  const covariance = Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return masses.reduce((sum, m, v) => sum + m * (at(v, i) - center[i]) * (at(v, j) - center[j]), 0);
  });
  return { mass, volume: 0, centerOfMass: [center[0], center[1], center[2]], inertia: inertiaOf(covariance) };
}

function checkPositive(mesh: TriangleMesh, quantity: string, value: number): void {
  if (!(value > 0 && Number.isFinite(value))) {
    throw new GradsimError(
      'mesh/option-out-of-range',
      `${mesh.name ?? 'The mesh'}: the ${quantity} is ${describeValue(value)}, but must be positive and finite.`,
    );
  }
}

function meanVertex(mesh: TriangleMesh): number[] {
  const sum = [0, 0, 0];
  mesh.positions.forEach((value, i) => {
    sum[i % 3] += value;
  });
  return sum.map((s) => s / vertexCount(mesh));
}

/**
 * Returns the volume (m3), the integrals of x_i (m4) and of x_i x_j (m5) over the solid, with x relative to `origin`.
 * The tetrahedron of signed volume V from the origin to a, b, c contributes V, V s_i / 4 and V (a_i a_j + b_i b_j + c_i
 * c_j + s_i s_j) / 20, s = a + b + c.
 */
function volumeMoments(mesh: TriangleMesh, origin: readonly number[]) {
  let volume = 0;
  const first = [0, 0, 0];
  const second = Array<number>(9).fill(0);
  for (let t = 0; t < triangleCount(mesh); t++) {
    const [a, b, c] = cornersOf(mesh, t).map((corner) => subtract(corner, origin));
    const V = dot(a, cross(b, c)) / 6;
    const s = [0, 1, 2].map((i) => a[i] + b[i] + c[i]);
    volume += V;
    for (let i = 0; i < 3; i++) {
      first[i] += (V * s[i]) / 4;
      for (let j = 0; j < 3; j++) {
        second[3 * i + j] += (V * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j])) / 20;
      }
    }
  }
  return { volume, first, second };
}

/** Returns the inertia tensor I = tr(C) 1 - C, kg m2, with C the second moments of mass about the centre of mass. */
function inertiaOf(covariance: readonly number[]): Float64Array {
  const trace = covariance[0] + covariance[4] + covariance[8];
  return Float64Array.from(covariance, (moment, k) => (k % 4 === 0 ? trace : 0) - moment);
}
