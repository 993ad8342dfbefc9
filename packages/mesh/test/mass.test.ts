import { describe, expect, it } from 'vitest';
import {
  box,
  capsule,
  cone,
  cylinder,
  icosphere,
  massProperties,
  placeMesh,
  plane,
  pointMassProperties,
  principalAxes,
  torus,
  uvSphere,
} from '../src/index.ts';

const density = 700;

/** Returns the largest difference between the entries of two tensors, as a fraction of the largest entry. */
function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  const size = Math.max(...Array.from(expected, Math.abs));
  return Math.max(...Array.from(actual, (value, i) => Math.abs(value - expected[i]))) / size;
}

const diagonal = (x: number, y: number, z: number) => [x, 0, 0, 0, y, 0, 0, 0, z];

describe('massProperties', () => {
  it('of a box of sides a, b, c is exact: m = rho a b c, I = m/12 diag(b^2 + c^2, ...)', () => {
    const [a, b, c] = [0.3, 0.5, 1.1];
    const { mass, inertia, centerOfMass } = massProperties(box({ size: [a, b, c] }), { density });
    const m = density * a * b * c;
    expect(mass).toBeCloseTo(m, 10);
    expect(
      relativeError(
        inertia,
        diagonal(b * b + c * c, a * a + c * c, a * a + b * b).map((x) => (m / 12) * x),
      ),
    ).toBeLessThan(1e-14);
    for (const x of centerOfMass) expect(Math.abs(x)).toBeLessThan(1e-15);
  });

  it('of a box 3.7 km from the origin has an inertia with a relative error below 1e-11', () => {
    const far = placeMesh(box({ size: [0.3, 0.5, 1.1] }), { translation: [1000, -2000, 3000] });
    const near = massProperties(box({ size: [0.3, 0.5, 1.1] }), { density });
    const { inertia, centerOfMass } = massProperties(far, { density });
    // Coordinates of 3000 m are rounded to 4.5e-13 m, of sides of 0.3 m.
    expect(relativeError(inertia, near.inertia)).toBeLessThan(1e-11);
    expect(relativeError(centerOfMass, [1000, -2000, 3000])).toBeLessThan(1e-14);
  });

  it('rotates with the mesh: a quarter turn about z swaps the sides along x and y', () => {
    const half = Math.SQRT1_2;
    const turned = placeMesh(box({ size: [1, 2, 3] }), { rotation: [0, 0, half, half] });
    const expected = massProperties(box({ size: [2, 1, 3] }), { density }).inertia;
    expect(relativeError(massProperties(turned, { density }).inertia, expected)).toBeLessThan(1e-14);
  });

  it.each([
    ['icosphere', (n: number) => icosphere({ radius: 0.7, subdivisions: n })],
    ['uvSphere', (n: number) => uvSphere({ radius: 0.7, segments: 8 * 2 ** n, rings: 4 * 2 ** n })],
  ])('of an %s converges to I = 2/5 m r^2 with the square of the edge length', (_, sphere) => {
    const ideal = 0.4 * 4 * (Math.PI / 3) * density * 0.7 ** 5;
    const errors = [2, 3, 4].map((n) => {
      const { inertia } = massProperties(sphere(n), { density });
      return relativeError(inertia, diagonal(ideal, ideal, ideal));
    });
    expect(errors[2]).toBeLessThan(0.02);
    // Halving the edge quarters the error.
    expect(errors[0] / errors[1]).toBeGreaterThan(3.8);
    expect(errors[1] / errors[2]).toBeGreaterThan(3.8);
  });

  it('of a cylinder of n sides is that of the prism of V = n/2 r^2 sin(2 pi/n) h', () => {
    const [r, h, n] = [0.4, 1.3, 12];
    const { volume, inertia } = massProperties(cylinder({ radius: r, height: h, segments: n }), { density });
    const area = (n / 2) * r * r * Math.sin((2 * Math.PI) / n);
    expect(volume).toBeCloseTo(area * h, 12);
    // A regular polygon: polar second moment = area r2 (2 + cos(2 pi/n)) / 6, the same about both axes.
    const polar = (area * r * r * (2 + Math.cos((2 * Math.PI) / n))) / 6;
    const across = (density * (h * polar)) / 2 + (density * area * h ** 3) / 12;
    expect(relativeError(inertia, diagonal(across, density * h * polar, across))).toBeLessThan(1e-13);
  });

  it('of a cone has its centre of mass a quarter of the height above the base', () => {
    const { centerOfMass } = massProperties(cone({ height: 2 }), { density });
    expect(centerOfMass[1]).toBeCloseTo(-0.5, 13);
  });

  it('of a fine capsule (volume) and torus (volume, I_y / m) agree with the closed forms to 0.5%', () => {
    const [r, h] = [0.3, 1];
    const fine = massProperties(capsule({ radius: r, height: h, segments: 256, rings: 64 }), { density });
    expect(fine.volume / (Math.PI * r * r * h + (4 / 3) * Math.PI * r ** 3)).toBeCloseTo(1, 3);
    const ring = massProperties(torus({ radius: 1, tube: 0.25, segments: 256, sides: 128 }), { density });
    // V = 2 pi2 R t2, I_y = m (R2 + 3/4 t2)
    expect(ring.volume / (2 * Math.PI ** 2 * 0.0625)).toBeCloseTo(1, 2);
    expect(ring.inertia[4] / ring.mass).toBeCloseTo(1 + 0.75 * 0.0625, 2);
  });

  it('accepts a mass instead of a density', () => {
    const { mass, inertia } = massProperties(box({ size: [1, 1, 1] }), { mass: 6 });
    expect(mass).toBe(6);
    expect(relativeError(inertia, diagonal(1, 1, 1))).toBeLessThan(1e-14);
  });

  it.each([
    [{ density: 0 }, { code: 'mesh/option-out-of-range', values: [0, 'density'] }],
    [{ density: Number.NaN }, { code: 'mesh/option-out-of-range', values: ['NaN', 'density'] }],
    [{ mass: -2 }, { code: 'mesh/option-out-of-range', values: [-2, 'mass'] }],
  ])('refuses %o', (given, message) => {
    expect(() => massProperties(box(), given)).toThrowCode(message);
  });

  it('refuses an open mesh', () => {
    expect(() => massProperties(plane(), { density })).toThrowCode('mesh/not-closed');
  });
});

describe('pointMassProperties', () => {
  it('of the corners of a box is I = m/4 diag(b^2 + c^2, ...), and follows the parallel axis theorem', () => {
    const [a, b, c] = [1, 2, 3];
    const mesh = placeMesh(box({ size: [a, b, c] }), { translation: [5, 6, 7] });
    const { inertia, centerOfMass, mass } = pointMassProperties(mesh, { mass: 8 });
    expect(
      relativeError(
        inertia,
        diagonal(b * b + c * c, a * a + c * c, a * a + b * b).map((x) => 2 * x),
      ),
    ).toBeLessThan(1e-13);
    expect(relativeError(centerOfMass, [5, 6, 7])).toBeLessThan(1e-14);
    // About the origin: sum m_i (y2 + z2) = I_xx + m (6^2 + 7^2)
    let aboutOrigin = 0;
    for (let v = 0; v < 8; v++) aboutOrigin += mesh.positions[3 * v + 1] ** 2 + mesh.positions[3 * v + 2] ** 2;
    expect(inertia[0] + mass * (36 + 49)).toBeCloseTo(aboutOrigin, 10);
  });

  it('refuses a wrong number of masses and a negative one', () => {
    expect(() => pointMassProperties(box(), { masses: [1, 2] })).toThrowCode({
      code: 'mesh/wrong-size',
      values: [8, 2],
    });
    expect(() => pointMassProperties(box(), { masses: [1, 1, 1, -1, 1, 1, 1, 1] })).toThrowCode({
      code: 'mesh/option-out-of-range',
      values: [-1, 'mass of vertex 3'],
    });
  });
});

describe('principalAxes', () => {
  it('returns moments, axes and rotation of a rotated box, and A diag(moments) A^T is its tensor', () => {
    const turned = placeMesh(box({ size: [1, 2, 3] }), { rotation: [0.1, 0.5, -0.3, Math.sqrt(1 - 0.35)] });
    const { inertia } = massProperties(turned, { density });
    const { moments, axes, rotation } = principalAxes(inertia);
    const expected = Array.from(massProperties(box({ size: [1, 2, 3] }), { density }).inertia);
    expect(relativeError(moments, [expected[8], expected[4], expected[0]])).toBeLessThan(1e-14);
    const rebuilt = Array.from({ length: 9 }, (_, k) =>
      [0, 1, 2].reduce((sum, m) => sum + axes[3 * Math.floor(k / 3) + m] * moments[m] * axes[3 * (k % 3) + m], 0),
    );
    expect(relativeError(rebuilt, inertia)).toBeLessThan(1e-14);
    // The quaternion is the same rotation: it turns the unit axes into the columns.
    const axesMesh = {
      positions: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
      triangles: Uint32Array.of(0, 1, 2),
    };
    const columns = placeMesh(axesMesh, { rotation }).positions;
    expect(
      relativeError(
        columns,
        [0, 3, 6, 1, 4, 7, 2, 5, 8].map((k) => axes[k]),
      ),
    ).toBeLessThan(1e-14);
  });

  it('accepts three equal moments, and zeros', () => {
    expect(principalAxes(diagonal(2, 2, 2)).moments).toEqual([2, 2, 2]);
    expect(principalAxes(diagonal(0, 0, 0)).moments).toEqual([0, 0, 0]);
  });
});
