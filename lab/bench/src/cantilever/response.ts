import { sumOfProducts } from '@gradsim/base';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { addSoftBody, fem, quadraticMesh, stiffnessOf } from '@gradsim/fem';
import { tetBox } from '@gradsim/mesh';
import { Gravity, particles, RestPosition } from '@gradsim/particles';
import type { BeamSize } from './theory.ts';

export type Elements = 'linear' | 'quadratic';

/** Static and dynamic response of a cantilever of finite elements. */
export interface Response {
  readonly elements: number;
  readonly particles: number;
  /** Sag of the centre line at the free end under the beam's own weight, m. */
  readonly sag: number;
  /** Frequency of the first bending mode, Hz. */
  readonly frequency: number;
  /** Substep that `Simulation.stableStep` advises, s. */
  readonly stableStep: number;
  /** Largest stable substep of this beam, s: 2 over its highest angular frequency. */
  readonly largestStep: number;
  readonly products: number;
}

/**
 * Substeps per second of the single substep from which accelerations are measured, 1/s: so short that positions hardly
 * change.
 */
const RATE = 1e6;
/** Iterations of the power method for the highest frequency. */
const POWER_ROUNDS = 300;
/** Iterations of the inverse power method for the lowest frequency. */
const INVERSE_ROUNDS = 3;

/**
 * Computes the response of a beam to small forces. K u is the simulated force for a displacement along u, from one
 * substep from rest. K u = f is solved by conjugate gradients; the first mode by inverse iteration, starting from the
 * sag; the highest frequency by power iteration.
 */
export async function beamResponse(
  beam: BeamSize,
  gravity: number,
  elements: Elements,
  cells: readonly [number, number, number],
): Promise<Response> {
  const size = [beam.length, beam.height, beam.width] as const;
  const grid = tetBox({ cells, size });
  const rest = elements === 'linear' ? Float64Array.from(grid.positions) : quadraticMesh(grid).positions;
  const isHeld = rest.map((_, k) => (rest[k - (k % 3)] < -0.4999 * beam.length ? 1 : 0));
  const scene = createScene([particles(), fem()]);
  const fixed = Array.from({ length: grid.positions.length / 3 }, (_, k) => k).filter((k) => isHeld[3 * k]);
  const { youngsModulus, poissonRatio, density } = beam;
  const body = addSoftBody(scene, grid, {
    elements,
    density,
    fixed,
    ...stiffnessOf({ youngsModulus, poissonRatio }),
  });
  body.particles.forEach((entity, k) => {
    scene.attach(entity, RestPosition, { restPosition: [...rest.subarray(3 * k, 3 * k + 3)] });
  });
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const settings = { device: f64Device(), frames: 2, frameRate: RATE, substeps: 1 };
  const simulation = await createSimulation(buildModel(scene), settings);
  simulation.forward();
  const masses = await simulation.read('particles.totalMass');
  const mass = rest.map((_, k) => masses[Math.floor(k / 3)]);
  const length = Math.sqrt(rest.length / 3);
  let products = 0;
  /**
   * Returns the stiffness matrix times u, from simulated forces at a displacement along u scaled to about 1e-7 of the
   * length per particle. Strains are at most about 1e-5, and so is the relative error from nonlinearity.
   */
  const stiffnessTimes = async (u: Float64Array): Promise<Float64Array> => {
    products++;
    const scale = (1e-7 * length) / Math.sqrt(sumOfProducts(u, u));
    simulation.set(
      'particles.position',
      rest.map((x, k) => x + scale * u[k]),
    );
    simulation.forward();
    const velocity = await simulation.read('particles.velocity');
    return u.map((_, k) => (isHeld[k] ? 0 : (-velocity[k] * RATE * mass[k]) / scale));
  };
  /**
   * Solves K u = f by conjugate gradients, preconditioned by the particles' masses, which grow with the local
   * stiffness.
   */
  const solve = async (f: Float64Array): Promise<Float64Array> => {
    const u = new Float64Array(f.length);
    const residual = f.slice();
    let along = residual.map((r, k) => (isHeld[k] ? 0 : r / mass[k]));
    let direction = along.slice();
    let square = sumOfProducts(residual, along);
    const enough = 1e-12 * square;
    while (square > enough) {
      const Kd = await stiffnessTimes(direction);
      const by = square / sumOfProducts(direction, Kd);
      for (let k = 0; k < u.length; k++) {
        u[k] += by * direction[k];
        residual[k] -= by * Kd[k];
      }
      along = residual.map((r, k) => (isHeld[k] ? 0 : r / mass[k]));
      const next = sumOfProducts(residual, along);
      direction = direction.map((d, k) => along[k] + (next / square) * d);
      square = next;
    }
    return u;
  };
  const weight = rest.map((_, k) => (k % 3 === 1 && !isHeld[k] ? -mass[k] * gravity : 0));
  const u = await solve(weight);
  const tips = Array.from({ length: rest.length / 3 }, (_, k) => k).filter((k) => rest[3 * k] > 0.4999 * beam.length);
  // The end moves as a plane does: its mean is that of its middle.
  const sag = -tips.reduce((sum, k) => sum + u[3 * k + 1], 0) / tips.length;

  let mode = u;
  let omega2 = 0;
  for (let round = 0; round < INVERSE_ROUNDS; round++) {
    const force = mode.map((value, k) => mass[k] * value);
    const next = await solve(force);
    const Mnext = next.map((value, k) => mass[k] * value);
    omega2 = sumOfProducts(next, force) / sumOfProducts(next, Mnext);
    mode = next;
  }
  let shaken = rest.map((_, k) => (isHeld[k] ? 0 : Math.sin(12.9898 * (k + 1)) * ((k % 7) + 1)));
  let highest = 0;
  for (let round = 0; round < POWER_ROUNDS; round++) {
    const Kx = await stiffnessTimes(shaken);
    highest = sumOfProducts(shaken, Kx) / shaken.reduce((sum, value, k) => sum + mass[k] * value ** 2, 0);
    const next = Kx.map((value, k) => value / mass[k]);
    const scale = 1 / Math.sqrt(sumOfProducts(next, next));
    shaken = next.map((value) => value * scale);
  }
  const { dt } = await simulation.stableStep();
  simulation.dispose();
  return {
    elements: body.tets.length,
    particles: body.particles.length,
    sag,
    products,
    frequency: Math.sqrt(omega2) / (2 * Math.PI),
    stableStep: dt,
    largestStep: 2 / Math.sqrt(highest),
  };
}
