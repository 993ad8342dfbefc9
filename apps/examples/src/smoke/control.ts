import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { Estimate, Problem } from '@gradsim/optim';
import { drawField, fromRows, layoutOf, Pixel, toRows } from '@gradsim/render';
import { addSmoke, SmokeCell, smoke } from '@gradsim/smoke';
import type { Goal } from './goal.ts';

/** Goal and settings of a control problem of smoke. */
export interface SmokeControl {
  readonly goal: Goal;
  readonly steps: number;
  readonly sweeps: number;
  /** Number of gradients, each of one forward and one backward run. */
  readonly iterations: number;
}

/** Number of channels of a picture: red, green, blue, alpha. */
const CHANNELS = 4;
/** Mean squared difference from the goal, relative to that of resting smoke, below which the goal counts as reached. */
const MAX_GOAL_DISTANCE = 0.1;

/**
 * Options of the search: of similar step sizes and decay rates tried on one goal, these came closest in 50 gradients,
 * to a loss of 0.0092; L-BFGS reached 0.0106.
 */
const ADAM = { method: 'adam', learningRate: 0.06, beta1: 0.8, decay: 0.98 } as const;

/** Model of smoke at rest, of density 1 in the last third of the rows and 0 elsewhere. */
export function smokeModel({ rows, columns }: Goal, sweeps: number): Model {
  const first = Math.floor((2 * rows) / 3) * columns;
  const density = Float64Array.from({ length: rows * columns }, (_, k) => (k >= first ? 1 : 0));
  const scene = createScene([smoke({ sweeps }), drawField({ field: SmokeCell.density, rows, columns })]);
  addSmoke(scene, { rows, columns, density });
  return buildModel(scene);
}

/**
 * Problem of finding both components of the initial velocity field with which smoke from the last third of the rows
 * matches the goal at the end.
 */
export function smokeControlProblem({ goal, steps, sweeps, iterations }: SmokeControl): Problem {
  const model = smokeModel(goal, sweeps);
  const layout = layoutOf(model);
  // Smoke is white on black: one channel is enough.
  const inRed = (of: (cell: number) => number): Float64Array => {
    const rgba = Float64Array.from({ length: CHANNELS * goal.density.length }, (_, k) =>
      k % CHANNELS === 0 ? of(k / CHANNELS) : 0,
    );
    return fromRows(layout, rgba, CHANNELS);
  };
  const picture = inRed((cell) => goal.density[cell]);
  const target = new Float64Array(2 * picture.length);
  target.set(picture, picture.length);
  return {
    // A step is a substep, whatever it lasts.
    model,
    frames: 2,
    frameRate: 1,
    substeps: steps,
    arrays: [{ name: 'velocity', field: SmokeCell.velocity, initial: 0, unit: 'cells/step' }],
    observations: [{ field: Pixel.rgba, target, frames: 'last', weights: inRed(() => 1) }],
    options: { search: { ...ADAM, iterations, tolerance: 0 } },
    goal: {
      field: Pixel.rgba,
      distance: (pictures) => meanSquare(layout, pictures, goal),
      within: { ofStart: MAX_GOAL_DISTANCE },
    },
  };
}

/** Mean squared difference of the final density from the goal, over all cells. */
export function smokeLoss({ predicted }: Pick<Estimate, 'predicted'>, { model }: Problem, goal: Goal): number {
  return meanSquare(layoutOf(model), predicted[Pixel.rgba.key], goal);
}

/** Mean squared difference of the second of two recorded pictures from the goal, in the red channel: the density. */
function meanSquare(layout: ReturnType<typeof layoutOf>, two: Float64Array, { density }: Goal): number {
  const pictures = toRows(layout, two, CHANNELS);
  const last = pictures.subarray(pictures.length / 2).filter((_, k) => k % CHANNELS === 0);
  return last.reduce((sum, d, k) => sum + (d - density[k]) ** 2, 0) / last.length;
}
