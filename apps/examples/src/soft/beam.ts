import type { Model, Plugin } from '@gradsim/core';
import { buildModel, createScene, definePlugin, Surfaces } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { refineTets, surfaceTriangles, tetBox, vertexCount } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { between, logBetween, wholeBetween } from '../scenes/draws.ts';
import { elasticity } from './elasticity.ts';
import type { DrawnCamera, FilmOptions, SoftInstance } from './instance.ts';
import { drawnCamera, lens } from './instance.ts';
import { paint } from './paint.ts';

/** Shape and material of a beam. */
export interface Beam {
  readonly cells: readonly [number, number, number];
  /** Length, height and width, m. */
  readonly size: readonly [number, number, number];
  /** Density, kg/m^3. */
  readonly density: number;
  /** Energy parameter mu (and `lambda`), Pa. */
  readonly mu: number;
  readonly lambda: number;
}

/**
 * Draws a beam from `seed`: `8..12 x 2 x 2` cells, clamped at one end, which is released at rest and swings under
 * gravity for 1.5 s.
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
    // Half as long, an element takes a wave half the time.
    refined: (times) => ({
      model: beamModel(beam, camera, { ...film, seed, refinements: Math.ceil(Math.log2(times)) }),
      timeline: { ...SWING, substeps: SWING.substeps * 2 ** Math.ceil(Math.log2(times)) },
    }),
    parameters: elasticity(random, beam),
    options: { search: { horizons: [0.25, 1], scan: 31, starts: 2, hops: 3, iterations: 40 } },
  };
}

/** Timeline of 1.5 s, with substeps short enough for every stiffness that the search tries. */
export const SWING = { frames: 24, frameRate: 15, substeps: 256 } as const;

/**
 * Model of a beam along x, centred at the origin when at rest, clamped at its end of least x. Each edge of its elements
 * is halved `refinements` times (default 0); it is drawn with the triangles of the unrefined mesh, since soft outlines
 * depend on them.
 */
export function beamModel(
  { cells, size: box, density, mu, lambda }: Beam,
  camera: DrawnCamera,
  { size, renderer, seed, refinements = 0 }: FilmOptions & { readonly seed: number; readonly refinements?: number },
): Model {
  const [length] = box;
  const coarse = tetBox({ cells, size: box });
  let mesh = coarse;
  for (let k = 0; k < refinements; k++) mesh = refineTets(mesh).mesh;
  const scene = createScene([
    particles(),
    fem(),
    paint(seed),
    drawnBy(surfaceTriangles(coarse.tets)),
    render({ width: size, height: size, colors: 'corner' }),
    renderer(lens(size, { distance: 1.9 * length, reach: 0.6 * length, depthSoftness: 0.005 })),
  ]);
  const clamped = [...Array(vertexCount(mesh)).keys()].filter((k) => mesh.positions[3 * k] === -length / 2);
  addSoftBody(scene, mesh, { mu, lambda, density, damping: 0.2, fixed: clamped });
  scene.add(OrbitCamera, camera);
  return buildModel(scene);
}

/**
 * Plugin that offers a surface with the given triangles instead of those of all elements; the vertices of the coarse
 * mesh have the same indices in a refined one.
 */
function drawnBy(triangles: Uint32Array): Plugin {
  return definePlugin({
    name: 'drawn-by',
    contract: 1,
    amends: [Surfaces],
    build: ({ model }) => model.amend(Surfaces, (surface) => ({ ...surface, triangles })),
  });
}
