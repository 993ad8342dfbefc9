import type { Device } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import type { Operation } from '@gradsim/optim';
import { createOperation } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';

/** Number of settings of the launcher: power, elevation and bearing, each from -1 to 1. */
export const SETTINGS = 3;
/** Number of frames of a flight, the start included. */
export const FRAMES = 5;
/** Number of units in each hidden layer. */
const HIDDEN = 16;

/**
 * Numbers of inputs and outputs of each layer: two layers from settings to velocity, two from position to picture
 * coordinates.
 */
export const LAYERS = [
  [SETTINGS, HIDDEN],
  [HIDDEN, 3],
  [3, HIDDEN],
  [HIDDEN, 2],
] as const;
/** Speed, m/s, that corresponds to 1 in the networks, so that their values are of magnitude 1. */
export const SPEED = 5;
/** Distance, m, that corresponds to 1 in the networks, so that their values are of magnitude 1. */
export const REACH = 5;

/**
 * Shots of a launcher, and the picture coordinates, x to the right and y up, of order 1, at which a camera saw the ball
 * in each frame.
 */
export interface Shots {
  readonly count: number;
  /** Settings of the launcher for each shot, in [-1, 1]: [shot][setting]. */
  readonly settings: Float32Array;
  /** Picture coordinates of the ball: [shot][frame][axis]. */
  readonly seen: Float32Array;
}

export type Flight = Operation<'velocity', 'path'>;

/**
 * Creates the operation of the known part of the model: the flight, for one second, of a ball with known drag, one in
 * each world.
 */
export function flight(device: Device, worlds: number): Promise<Flight> {
  const scene = createScene([rigid()]);
  scene.add(Body, { mesh: icosphere({ radius: 0.04, subdivisions: 1 }), mass: 0.15, drag: 0.1 }, 'the ball');
  return createOperation(buildModel(scene), {
    device,
    frames: FRAMES,
    frameRate: FRAMES - 1,
    substeps: 12,
    worlds,
    inputs: { velocity: 'bodies.velocity' },
    outputs: { path: 'bodies.position' },
  });
}

/**
 * Draws as many shots as the flight has worlds, with random settings. The formulas for launcher and camera in here are
 * what a network has to learn.
 */
export function drawShots(flown: Flight, random: () => number): Shots {
  const [count] = flown.shapes.inputs.velocity;
  const settings = Float32Array.from({ length: count * SETTINGS }, () => 2 * random() - 1);
  const velocity = new Float64Array(count * 3);
  for (let n = 0; n < count; n++) {
    const [power, elevation, bearing] = settings.subarray(n * SETTINGS, (n + 1) * SETTINGS);
    const speed = 6 * 1.4 ** power;
    const [up, aside] = [0.7 + 0.5 * elevation, 0.4 * bearing];
    const along = speed * Math.cos(up);
    velocity.set([along * Math.cos(aside), speed * Math.sin(up), along * Math.sin(aside)], n * 3);
  }
  const { path } = flown.at({ velocity }).value;
  const seen = new Float32Array(count * FRAMES * 2);
  for (let k = 0; k < count * FRAMES; k++) {
    const [x, y, z] = path.subarray(k * 3, k * 3 + 3);
    // A camera 9 m to the side, which looks at (3, 0, 0).
    seen.set([(2 * (x - 3)) / (9 - z), (2 * y) / (9 - z)], k * 2);
  }
  return { count, settings, seen };
}

/** Draws initial weights and zero biases, alternating, layer by layer. */
export const drawWeights = (random: () => number): Float32Array[] =>
  LAYERS.flatMap(([rows, columns]) => [
    Float32Array.from({ length: rows * columns }, () => (2 * random() - 1) * Math.sqrt(3 / rows)),
    new Float32Array(columns),
  ]);
