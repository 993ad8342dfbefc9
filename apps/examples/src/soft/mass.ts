import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { placeMesh, tetBox, vertexCount } from '@gradsim/mesh';
import type { ParameterSpec } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { Particle, particles, RestPosition } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import type { Random } from '../scenes/draws.ts';
import { between, logBetween } from '../scenes/draws.ts';
import { GROUND } from './ball.ts';
import type { FilmOptions, SoftInstance } from './instance.ts';
import { drawnCamera, lens } from './instance.ts';
import { paint } from './paint.ts';
import { rigidVelocities } from './throw.ts';

/** Range of the masses of particles, kg: the heaviest may have four times the mass of the lightest. */
const RANGE = [0.01, 0.04] as const;
/**
 * Prior of each mass, kg. It bounds masses that the first frames do not determine, and has no weight beside a film that
 * fits.
 */
const PRIOR = { mean: 0.025, standardDeviation: 0.01 };

/**
 * Draws a block from `seed`, of known elasticity, that is released deformed: it wobbles, falls onto the ground and
 * bounces. Free fall does not depend on the masses; the wobble does, from the first frames on, since the elastic forces
 * are known.
 */
export function randomMasses(seed: number, { size, renderer }: FilmOptions): SoftInstance {
  const random = randomNumbers(seed);
  const box = [between(random, 0.5, 0.7), between(random, 0.35, 0.5), between(random, 0.35, 0.5)] as const;
  const mesh = tetBox({ cells: [3, 2, 2], size: box });
  const count = vertexCount(mesh);
  const masses = Array.from({ length: count }, () => logBetween(random, ...RANGE));
  const scene = createScene([
    particles(),
    fem(),
    contact(),
    paint(seed),
    render({ width: size, height: size, colors: 'corner' }),
    renderer(lens(size, { distance: 1.7, reach: 0.7, depthSoftness: 0.005 })),
  ]);
  const throwing = [between(random, -0.3, 0.3), between(random, -1.5, -0.5), between(random, -0.3, 0.3)];
  const spin = [0, 1, 2].map(() => between(random, -2, 2));
  const pulled = { ...mesh, positions: pulledOutOfShape(mesh.positions, random) };
  const lowest = Math.min(...pulled.positions.filter((_, k) => k % 3 === 1));
  const centre = [0, between(random, 0.05, 0.15) - lowest, 0] as const;
  const block = addSoftBody(scene, placeMesh(pulled, { translation: centre }), {
    mu: logBetween(random, 300, 1000),
    lambda: logBetween(random, 300, 1000),
    mass: masses,
    damping: 0.2,
    velocity: rigidVelocities(pulled.positions, throwing, spin),
  });
  block.particles.forEach((particle, k) => {
    scene.attach(particle, contactOf(Particle), GROUND);
    scene.attach(particle, RestPosition, {
      restPosition: [0, 1, 2].map((axis) => mesh.positions[3 * k + axis]),
    });
  });
  scene.add(HalfSpace, {}, 'the ground');
  scene.add(OrbitCamera, drawnCamera(random, [0, 0.3, 0], 1.7));
  return {
    model: buildModel(scene),
    timeline: { frames: 40, frameRate: 120, substeps: 16 },
    parameters: masses.map(
      (truth, particle): ParameterSpec => ({
        name: `mass ${particle}`,
        field: Particle.mass,
        elements: [particle],
        transform: 'log',
        range: RANGE,
        initial: logBetween(random, ...RANGE),
        unit: 'kg',
        truth,
        prior: PRIOR,
      }),
    ),
    options: { search: { horizons: [0.05, 0.08, 0.12, 0.2, 0.35, 0.6, 1], iterations: 30 } },
  };
}

/** Positions after a random quadratic map that bends, twists and stretches by about a quarter. */
function pulledOutOfShape(positions: Float64Array, random: Random): Float64Array {
  const linear = Array.from({ length: 9 }, () => between(random, -0.2, 0.2));
  const quadratic = Array.from({ length: 18 }, () => between(random, -0.5, 0.5));
  const moved: number[] = [];
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = [positions[k], positions[k + 1], positions[k + 2]];
    const terms = [x * x, y * y, z * z, x * y, y * z, z * x];
    for (let axis = 0; axis < 3; axis++) {
      const stretch = linear[3 * axis] * x + linear[3 * axis + 1] * y + linear[3 * axis + 2] * z;
      const bend = terms.reduce((sum, term, t) => sum + quadratic[6 * axis + t] * term, 0);
      moved.push(positions[k + axis] + stretch + bend);
    }
  }
  return Float64Array.from(moved);
}
