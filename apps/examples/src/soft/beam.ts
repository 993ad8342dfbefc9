import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { tetBox, vertexCount } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { between, logBetween, wholeBetween } from '../scenes/draws.ts';
import { elasticity } from './elasticity.ts';
import type { DrawnCamera, FilmOptions, SoftInstance } from './instance.ts';
import { drawnCamera, lens } from './instance.ts';
import { paint } from './paint.ts';

/** What a beam is like, apart from what is to be found. */
export interface Beam {
  readonly cells: readonly [number, number, number];
  /** m */
  readonly size: readonly [number, number, number];
  /** kg/m^3 */
  readonly density: number;
  /** Pa */
  readonly mu: number;
  readonly lambda: number;
}

/**
 * A beam of `8..12 x 2 x 2` cells that is clamped at one end, let go at rest, and swings under gravity for 1.5 s, from
 * the numbers of `seed`.
 */
export function randomBeam(seed: number, film: FilmOptions): SoftInstance {
  const random = randomNumbers(seed);
  const length = between(random, 0.9, 1.3);
  const beam: Beam = {
    cells: [wholeBetween(random, 8, 12), 2, 2],
    size: [length, between(random, 0.18, 0.26), between(random, 0.18, 0.26)],
    density: between(random, 0.6, 1.5),
    mu: logBetween(random, 500, 5000),
    lambda: logBetween(random, 500, 5000),
  };
  const camera = drawnCamera(random, [0, -0.3 * length, 0], 1.9 * length);
  return {
    model: beamModel(beam, camera, { ...film, seed }),
    timeline: SWING,
    parameters: elasticity(random, beam),
    options: { horizons: [0.25, 1], scan: 31, starts: 2, hops: 3, iterations: 40 },
  };
}

/** 1.5 s; substeps short enough for every stiffness that a search tries. */
export const SWING = { frames: 24, frameRate: 15, substeps: 256 } as const;

/** A beam along x, its middle at the origin when at rest, clamped at its end of least x. */
export function beamModel(
  { cells, size: box, density, mu, lambda }: Beam,
  camera: DrawnCamera,
  { size, renderer, seed }: FilmOptions & { readonly seed: number },
): Model {
  const [length] = box;
  const scene = createScene([
    particles(),
    fem(),
    paint(seed),
    render({ width: size, height: size, colors: 'corner' }),
    renderer(lens(size, { distance: 1.9 * length, reach: 0.6 * length, depthSoftness: 0.005 })),
  ]);
  const mesh = tetBox({ cells, size: box });
  const clamped = [...Array(vertexCount(mesh)).keys()].filter((k) => k % (cells[0] + 1) === 0);
  addSoftBody(scene, mesh, { mu, lambda, density, damping: 0.2, fixed: clamped });
  scene.add(OrbitCamera, camera);
  return buildModel(scene);
}
