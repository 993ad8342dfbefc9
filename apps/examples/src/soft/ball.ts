import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { placeMesh } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { between, logBetween } from '../scenes/draws.ts';
import { elasticity } from './elasticity.ts';
import type { FilmOptions, SoftInstance } from './instance.ts';
import { drawnCamera, lens } from './instance.ts';
import { paint } from './paint.ts';
import { tetBall } from './tet-ball.ts';
import { rigidVelocities } from './throw.ts';

/** Contact material of each particle of a ball with the ground. */
export const GROUND = { ke: 400, kd: 0.5, kf: 5, mu: 0.5 } as const;

/** Draws a soft ball from `seed` that is thrown onto the ground, spins and bounces for 1.2 s. */
export function randomBall(seed: number, { size, renderer }: FilmOptions): SoftInstance {
  const random = randomNumbers(seed);
  const radius = between(random, 0.25, 0.4);
  const truth = { mu: logBetween(random, 500, 5000), lambda: logBetween(random, 500, 5000) };
  const centre = [between(random, -0.4, -0.2), radius + between(random, 0.2, 0.5), between(random, -0.2, 0.2)] as const;
  const mesh = tetBall({ radius, subdivisions: random() < 0.3 ? 1 : 0, layers: 2 });
  const scene = createScene([
    particles(),
    fem(),
    contact(),
    paint(seed),
    render({ width: size, height: size, colors: 'corner' }),
    renderer(lens(size, { distance: 2.8, reach: 0.9, depthSoftness: 0.005 })),
  ]);
  const throwing = [between(random, 0, 1), between(random, -4, -2), between(random, -0.3, 0.3)];
  const spin = [0, 1, 2].map(() => between(random, -4, 4));
  const ball = addSoftBody(scene, placeMesh(mesh, { translation: centre }), {
    ...truth,
    density: between(random, 2, 6),
    damping: 0.2,
    velocity: rigidVelocities(mesh.positions, throwing, spin),
  });
  for (const particle of ball.particles) scene.attach(particle, contactOf(Particle), GROUND);
  scene.add(HalfSpace, {}, 'the ground');
  scene.add(OrbitCamera, drawnCamera(random, [0, radius + 0.2, 0], 2.8));
  return {
    model: buildModel(scene),
    timeline: { frames: 24, frameRate: 20, substeps: 160 },
    parameters: elasticity(random, truth),
    options: { search: { horizons: [0.3, 0.6, 1], scan: 31, starts: 2, hops: 3, iterations: 40 } },
  };
}
