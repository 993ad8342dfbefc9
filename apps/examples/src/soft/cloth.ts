import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, createScene } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import type { ParameterSpec } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { between, normal, wholeBetween } from '../scenes/draws.ts';
import type { FilmOptions, SoftInstance } from './instance.ts';
import { drawnCamera, lens } from './instance.ts';
import { paint } from './paint.ts';

/** Standard deviation of a particle's initial velocity about that of the throw, m/s, in each component. */
const VELOCITY_DEVIATION = 0.3;
/** Half of the width of the range from which each component of the initial guess of the velocity is drawn, m/s. */
const START_FACTOR = 5;
const AXES = ['x', 'y', 'z'] as const;

/**
 * Draws a sheet of 32 to 64 triangles that flies through still air for 1.5 s, with the paper's stiffness, lift, drag
 * and substep rate; each particle has its own initial velocity.
 */
export function randomCloth(seed: number, { size, renderer }: FilmOptions): SoftInstance {
  const random = randomNumbers(seed);
  const sheet = [between(random, 0.9, 1.1), between(random, 1.3, 1.6)] as const;
  const mesh = plane({ size: sheet, segments: [4, wholeBetween(random, 4, 8)] });
  const throwing = [between(random, -0.8, 0.8), between(random, 3, 4), between(random, -0.8, 0.8)];
  const velocity = Array.from(mesh.positions, (_, k) => throwing[k % 3] + VELOCITY_DEVIATION * normal(random));
  const scene = createScene([
    particles(),
    cloth(),
    paint(seed),
    render({ width: size, height: size, colors: 'corner' }),
    renderer(lens(size, { distance: 4, reach: 3, depthSoftness: 0.07 })),
  ]);
  addCloth(scene, mesh, {
    mu: 1e4,
    lambda: 1e4,
    density: between(random, 8, 12),
    drag: 5,
    lift: 10,
    velocity,
  });
  scene.add(OrbitCamera, { ...drawnCamera(random, [0, -0.3, 0], 4), elevation: between(random, 0.6, 0.9) });
  const guess = throwing.map(() => between(random, -START_FACTOR, START_FACTOR));
  const perParticle = (start?: Readonly<Record<string, number>>): ParameterSpec[] =>
    velocity.map((truth, k) => {
      const axis = AXES[k % 3];
      return {
        name: `velocity ${Math.floor(k / 3)} ${axis}`,
        field: Particle.velocity,
        elements: [Math.floor(k / 3)],
        component: k % 3,
        initial: guess[k % 3],
        start: start?.[axis],
        scale: 1,
        unit: 'm/s',
        truth,
        ...(start ? { prior: { mean: start[axis], standardDeviation: 0.5 } } : {}),
      };
    });
  return {
    model: buildModel(scene),
    timeline: { frames: 46, frameRate: 30, substeps: 32 },
    parameters: perParticle(),
    rough: {
      parameters: AXES.map((name, component) => ({
        name,
        field: Particle.velocity,
        component,
        initial: guess[component],
        range: [-START_FACTOR, START_FACTOR],
        scale: 1,
        unit: 'm/s',
      })),
      frames: 10,
      options: { search: { scan: 255, starts: 2, iterations: 30 } },
      refine: perParticle,
    },
    options: { search: { horizons: [0.06, 0.1, 0.2, 0.45, 1], iterations: 20, tolerance: 1e-3 } },
  };
}
