import type { Device } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import type { Operation } from '@gradsim/optim';
import { createOperation } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';

/** Number of settings of the launcher: power, elevation and bearing, each from -1 to 1. */
export const SETTINGS = 3;
/** Frames of a flight, the start included. */
export const FRAMES = 5;
/** Number of hidden units of each layer. */
const HIDDEN = 16;

/** Layers of weights and biases: two from settings to velocity, two from position to pixel. */
export const LAYERS = [
  [SETTINGS, HIDDEN],
  [HIDDEN, 3],
  [3, HIDDEN],
  [HIDDEN, 2],
] as const;
/** Speed that the networks scale to 1, m/s: their inputs and outputs are of magnitude 1. */
export const SPEED = 5;
/** Distance that the networks scale to 1, m: their inputs and outputs are of magnitude 1. */
export const REACH = 5;

/** Shots of a launcher, and where a camera saw the ball in each frame of each, across and up, from -1 to 1. */
export interface Shots {
  readonly count: number;
  /** [shot][setting] */
  readonly settings: Float32Array;
  /** [shot][frame][axis] */
  readonly seen: Float32Array;
}

export type Flight = Operation<'velocity', 'path'>;

/** The part that is known: a ball of known drag flies for a second, once in each world. */
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

/** Shots with drawn settings, as many as the flight has worlds. What makes them is what a network has to find out. */
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

/** Weights and biases of one layer after another, drawn. */
export const drawWeights = (random: () => number): Float32Array[] =>
  LAYERS.flatMap(([rows, columns]) => [
    Float32Array.from({ length: rows * columns }, () => (2 * random() - 1) * Math.sqrt(3 / rows)),
    new Float32Array(columns),
  ]);
