import type { GoalImage } from '@gradsim/control';
import { goalImages, goalPosition, meanPosition } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import type { ControlTask } from './task.ts';

/** Pose of an object fitted to a picture: a translation and a uniform strain in the plane. */
export interface PoseFit {
  /** Centre of mass of the fitted object, m. */
  readonly centre: readonly number[];
  /** Intersection over union of the silhouettes of the picture and the fit. */
  readonly overlap: number;
}

/**
 * Stages of the fit: `blur`, the pictures' blur in picture widths; `shape`, the weight of the shape in the loss;
 * `moved`, the number of fitted modes.
 */
const FIT_ROUNDS = [
  { blur: 0.06, shape: 0.05, moved: 2 },
  { blur: 0.02, shape: 1, moved: 2 },
  { blur: 0.01, shape: 1, moved: 6 },
] as const;

/**
 * Fits the object of a task to a picture: its initial particles are translated along x and y, and then also strained
 * uniformly in that plane, so that their silhouette matches that of the picture.
 */
export async function fitPose({ model, timeline }: ControlTask, image: GoalImage, device: Device): Promise<PoseFit> {
  // One frame, the start: no substep is run, and none of another size is asked for.
  const substeps = Math.round(timeline.substeps * timeline.frameRate);
  const instant = { frames: 1, frameRate: 1, substeps } as const;
  const run = { device, ...instant };
  const positions = await recordOf(model, Particle.position, run);
  const modes = planarModes(positions);
  let amounts: ArrayLike<number> = [];
  let predicted: Readonly<Record<string, ArrayLike<number>>> = {};
  for (const { moved, ...compared } of FIT_ROUNDS) {
    const initial = Float64Array.from({ length: moved }, (_, k) => amounts[k] ?? 0);
    const found = await estimate(
      {
        model,
        ...instant,
        arrays: [{ name: 'pose', field: Particle.position, modes: modes.slice(0, moved), initial }],
        losses: [
          goalImages(model, { images: [{ frame: 0, image }], ...compared }),
          goalPosition([0, 0, 0], { weight: 0 }),
        ],
        options: { search: { method: 'l-bfgs', iterations: 100, attainable: 0, tolerance: 1e-9 } },
      },
      { device },
    );
    amounts = found.arrays.pose.estimate;
    predicted = found.predicted;
  }
  const moved = positions.map((x, k) => modes.reduce((at, mode, m) => at + amounts[m] * mode[k], x));
  const seen = await recordOf(model, Pixel.rgba, { ...run, values: { [Particle.position.key]: moved } });
  return {
    centre: [...Array.from(predicted[meanPosition.key]).slice(-3)],
    overlap: overlapOf(model, seen, image),
  };
}

/**
 * Modes of displacement, each [particle][component]: translations along x and y, and four uniform strains in that plane
 * about the centre.
 */
function planarModes(positions: Float64Array): Float64Array[] {
  const middle = [0, 0, 0];
  positions.forEach((x, k) => {
    middle[k % 3] += (3 * x) / positions.length;
  });
  const mode = (of: (x: number, y: number) => readonly [number, number, number]): Float64Array =>
    Float64Array.from(positions, (_, k) => {
      const first = k - (k % 3);
      return of(positions[first] - middle[0], positions[first + 1] - middle[1])[k % 3];
    });
  return [
    mode(() => [1, 0, 0]),
    mode(() => [0, 1, 0]),
    mode((x) => [x, 0, 0]),
    mode((_, y) => [y, 0, 0]),
    mode((x) => [0, x, 0]),
    mode((_, y) => [0, y, 0]),
  ];
}

function overlapOf(model: ControlTask['model'], rgba: Float64Array, { alpha }: GoalImage): number {
  const rows = toRows(layoutOf(model), rgba, 4);
  let [both, either] = [0, 0];
  for (let k = 0; k < alpha.length; k++) {
    both += Math.min(alpha[k], rows[4 * k + 3]);
    either += Math.max(alpha[k], rows[4 * k + 3]);
  }
  return both / either;
}
