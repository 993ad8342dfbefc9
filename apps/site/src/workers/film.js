// The film that the first page solves: drawn in the page from numbers that are drawn at random, with noise, and then estimated
// from its pixels alone.
import { HalfSpace, impactOf, impacts } from 'gradsim/contact';
import { buildModel, createScene, createSimulation, selectDevice } from 'gradsim/core';
import { icosphere } from 'gradsim/mesh';
import { dibr, layoutOf, OrbitCamera, Pixel, render, toRows } from 'gradsim/render';
import { Body, Gravity, rigid } from 'gradsim/rigid';
import { UNKNOWNS } from '../theme/film-unknowns.ts';

/** Size of the pictures, px. */
export const SIZE = { width: 64, height: 36 };
/** Time of the film: 1.3 s. */
export const TIMELINE = { frames: 27, frameRate: 20, substeps: 4 };
const RADIUS = 0.11;
/** Standard deviation of the noise of a channel, of 1. */
const NOISE = 0.06;

/**
 * Model of a ball that is thrown and bounces, before one camera.
 * @param {readonly number[]} values of the unknowns
 */
export function ballModel([gravity, restitution, along, up]) {
  const scene = createScene([
    rigid(),
    impacts(),
    render(SIZE),
    dibr({ compositing: 'coverage', delta: 1e-3, backgroundColor: [0.07, 0.1, 0.12] }),
  ]);
  scene.add(Gravity, { acceleration: [0, gravity, 0] });
  const mesh = icosphere({ radius: RADIUS, subdivisions: 1 });
  const colors = mesh.positions.map((_, k) => [0.96, 0.62, 0.2][k % 3]);
  const ball = scene.add(Body, {
    mesh: { ...mesh, colors },
    mass: 0.1,
    position: [-0.85, 0.8, 0],
    velocity: [along, up, 0],
  });
  scene.attach(ball, impactOf(Body), { radius: RADIUS, restitution, mu: 0.2 });
  scene.add(HalfSpace, {});
  scene.add(OrbitCamera, { target: [0, 0.52, 0], distance: 2.6, elevation: 0, fieldOfView: 0.45 });
  return buildModel(scene);
}

/**
 * Draws the film of a seed.
 * @param {number} seed
 */
export async function makeFilm(seed) {
  const random = randomOf(seed);
  const truth = UNKNOWNS.map(({ range: [least, most] }) => least + random() * (most - least));
  const model = ballModel(truth);
  const device = await selectDevice('cpu', { threads: 1 });
  const simulation = await createSimulation(model, { device, ...TIMELINE, record: [Pixel.rgba] });
  simulation.forward();
  const clean = await simulation.readFrames(Pixel.rgba);
  simulation.dispose();
  device.dispose();
  const target = clean.map((value, k) => (k % 4 === 3 ? value : value + NOISE * normal(random)));
  return { model, target, truth };
}

/**
 * Pictures in rows from above, as a canvas wants them: [frame][row][column][channel], 0 to 1.
 * @param {import('gradsim/core').Model} model
 * @param {Float64Array} frames
 */
export const rowsOf = (model, frames) => toRows(layoutOf(model), frames, 4);

/** Uniform random numbers by splitmix32. @param {number} seed */
function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** A number of the standard normal distribution (Box and Muller). @param {() => number} random */
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
