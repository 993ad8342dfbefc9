import { controller, imageInput, meanPosition, productInput, sinusoidInput } from '@gradsim/control';
import type { Model, Plugin } from '@gradsim/core';
import { definePlugin, dot, f32, field, kernel, vec3 } from '@gradsim/core';
import { Tet } from '@gradsim/fem';
import { gearScene } from '../gear-task.ts';

/** Width, and also height, of a goal's image, px. */
export const SIZE = 32;

/**
 * Fields of the target position of the centre of mass at the end, m (`goal`), and of its mean squared error over x, y
 * and z, m^2 (`error`).
 */
export const goal = field('world', 'goal', vec3, { unit: 'm' });
export const error = field('world', 'goalError', f32, { unit: 'm^2' });
/** Key of the field with the goal's image, an input of the controller. */
export const IMAGE = 'reachSight0SecondPixels.alpha';

/**
 * Normalisation of the goal's position in its image: from 0, the middle, to 2/3 of the way to the edge is mapped to -1
 * to 1.
 */
const COORDINATE_INPUT = { from: [1 / 3, 0], scale: 3 } as const;

/**
 * Controller of the gear: the actuation of each tetrahedron is a weighted sum of sinusoids, and of their products with
 * the goal's position in its image.
 */
const reachController = (seed: number, weights: Readonly<Record<string, ArrayLike<number>>>): Plugin =>
  controller({
    name: 'reach',
    bias: false,
    weightDeviation: 0.1,
    seed,
    weights,
    shared: true,
    inputs: [
      productInput(
        sinusoidInput({ frequency: 2.5, count: 8 }),
        imageInput({ width: SIZE, height: SIZE, outputs: ['x'], ...COORDINATE_INPUT }),
      ),
    ],
    drives: [{ field: Tet.actuation, scale: 0.3 }],
  });

/** Plugin that adds the fields {@link goal} and {@link error}. */
const goalError = (): Plugin =>
  definePlugin({
    name: 'goal-error',
    contract: 1,
    build: ({ model }) => {
      model.addField(goal, { fill: 0 });
      const compare = kernel(
        'errorOfGoal',
        { domain: 'world', reads: { goal, centre: meanPosition }, writes: { error } },
        ({ goal: wanted, centre: reached }) => {
          const off = reached.sub(wanted);
          return { error: dot(off, off).div(3) };
        },
      );
      model.addPass('observe', compare);
    },
  });

/** Model of the gear with its controller, and the initial positions of its particles. */
export const reachingGear = (
  seed: number,
  weights: Readonly<Record<string, ArrayLike<number>>> = {},
  size = SIZE,
): { readonly model: Model; readonly positions: ArrayLike<number> } =>
  gearScene([reachController(seed, weights), goalError()], { size });
