import { checkKernel } from '@gradsim/core/testing';
import { tetEnergy } from '@gradsim/fem';
import { placeMesh, tetBox } from '@gradsim/mesh';
import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../../scripts/vitest/draws.ts';
import { restOfTet, tetForce } from '../src/force.ts';
import { deformed, forces, norm, randomRotation, transformed } from './scenes.ts';

const seed = 7;
const grid = placeMesh(tetBox({ cells: [2, 2, 2], size: [0.4, 0.3, 0.5] }), { translation: [0, 0.25, 0.25] });
const points = grid.positions.length / 3;
const elements = grid.tets.length / 4;

describe(`forces of linear tetrahedra (seed ${seed})`, () => {
  it('are minus the gradient of the energy, -dU/dx', async () => {
    const random = randomBetween(seed);
    const positions = Array.from(grid.positions, (x) => x + random(-0.04, 0.04));
    const values = (low: number, high: number) => Float64Array.from({ length: elements }, () => random(low, high));
    const scene = deformed(grid, positions, {
      mu: values(500, 2000),
      lambda: values(500, 2000),
      actuation: values(-0.1, 0.1),
      mass: 1,
    });
    const { force, slope } = await forces(scene);
    const size = norm(force);
    force.forEach((f, k) => expect(Math.abs(f + slope[k]) / size).toBeLessThan(1e-8));
  });

  it('have zero sum and zero torque, with damping', async () => {
    const random = randomBetween(seed + 1);
    const positions = Array.from(grid.positions, (x) => x + random(-0.05, 0.05));
    const velocity = Float64Array.from(positions, () => random());
    const { force } = await forces(
      deformed(grid, positions, { mu: 1000, lambda: 1500, damping: 20, actuation: 0.05, mass: 1, velocity }),
    );
    const size = norm(force);
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
      let [sum, torque] = [0, 0];
      for (let k = 0; k < force.length; k += 3) {
        sum += force[k + axis];
        torque += positions[k + a] * force[k + b] - positions[k + b] * force[k + a];
      }
      expect(Math.abs(sum) / size).toBeLessThan(1e-12);
      expect(Math.abs(torque) / size).toBeLessThan(1e-12);
    }
  });

  // Computing Ic from three diagonal entries, and damping by absolute velocity (defects of the research code), both
  // fail here.
  it('are zero in rigid motion, both elastic and damping', async () => {
    const random = randomBetween(seed + 2);
    for (let trial = 0; trial < 3; trial++) {
      const positions = transformed(grid.positions, randomRotation(random), [random(), random(), random()]);
      const [v, w] = [0, 1].map(() => [random(-3, 3), random(-3, 3), random(-3, 3)]);
      const spin = [0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0];
      const velocity = transformed(positions, spin, v);
      const { force } = await forces(
        deformed(grid, positions, { mu: 1000, lambda: 1500, damping: 50, mass: 1, velocity }),
      );
      // Rounding of stresses of 1000 Pa over areas of 0.03 m^2.
      expect(norm(force)).toBeLessThan(1e-11);
    }
  });

  it('damp with the power -2 kd r^2 V while the undeformed body is stretched at the rate r along one axis, V the volume', async () => {
    // F = 1, F' = diag(r, 0, 0): P_d = kd (F'^T + F') = 2 kd diag(r, 0, 0); power = sum f.v = -V P : F' = -2 kd r^2 V.
    const [kd, r] = [30, 0.7];
    const velocity = transformed(grid.positions, [r, 0, 0, 0, 0, 0, 0, 0, 0]);
    const { force } = await forces(
      deformed(grid, grid.positions, { mu: 1000, lambda: 1500, damping: kd, mass: 1, velocity }),
    );
    const power = force.reduce((sum, f, k) => sum + f * velocity[k], 0);
    expect(power).toBeCloseTo(-2 * kd * r * r * 0.4 * 0.3 * 0.5, 10);
  });

  it('pass the patch test: under a uniform strain the net force on inner particles is zero', async () => {
    const F = [1.2, 0.1, -0.05, 0, 0.9, 0.2, 0.1, 0, 1.1];
    const { force } = await forces(deformed(grid, transformed(grid.positions, F), { mu: 1000, lambda: 1500, mass: 1 }));
    const inner = 13;
    const outer = norm(force);
    expect(outer).toBeGreaterThan(1);
    expect(norm(force.slice(3 * inner, 3 * inner + 3)) / outer).toBeLessThan(1e-13);
  });

  it('on an end face of a uniformly strained box are stress times area', async () => {
    // Uniaxial stretch s: P_xx = mu s (1 - 1/(Ic + 1)) + lambda (s - alpha) with Ic = s^2 + 2, J = s. All forces on the
    // face x = max add up to P_xx times its rest area, pointing inwards.
    const [mu, lambda, s] = [1000, 1500, 1.3];
    const { force } = await forces(
      deformed(grid, transformed(grid.positions, [s, 0, 0, 0, 1, 0, 0, 0, 1]), { mu, lambda, mass: 1 }),
    );
    const alpha = 1 + mu / lambda - mu / (4 * lambda);
    const P = mu * s * (1 - 1 / (s * s + 3)) + lambda * (s - alpha);
    let sum = 0;
    for (let k = 0; k < points; k++) if (grid.positions[3 * k] > 0.19) sum += force[3 * k];
    expect(sum).toBeCloseTo(-P * 0.3 * 0.5, 9);
  });
});

describe('gradient checks of kernels of linear tetrahedra', () => {
  // Two elements of positive volume over five particles.
  const positions = [0, 0, 0, 1, 0.1, 0, 0.1, 0.9, 0, 0, 0.1, 1.1, 1, 1, 0.9];
  const tets = { vertices: [0, 1, 2, 3, 1, 4, 2, 3], sizes: { tets: 2, particles: 5 } };
  const material: Record<string, readonly [number, number]> = {
    mu: [1, 2],
    lambda: [1, 2],
    restVolume: [0.1, 1],
  };

  it('rest shape and mass', () =>
    checkKernel(restOfTet, {
      sizes: tets.sizes,
      values: { vertices: tets.vertices, restPosition: positions },
    }));
  it('forces', () =>
    checkKernel(tetForce, { sizes: tets.sizes, values: { vertices: tets.vertices }, ranges: material }));
  it('energy', () =>
    checkKernel(tetEnergy, { sizes: tets.sizes, values: { vertices: tets.vertices }, ranges: material }));
});
