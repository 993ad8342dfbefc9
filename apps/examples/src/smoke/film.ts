import type { Device } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { RenderedFrames, Strip } from '@gradsim/optim';
import { picturesOf } from '@gradsim/optim';
import { colorRows, layoutOf, Pixel } from '@gradsim/render';
import { SmokeCell } from '@gradsim/smoke';
import type { SmokeControl } from './control.ts';
import { smokeModel } from './control.ts';

/** Number of pictures of the smoke in the report's film strip. */
const SHOWN_FRAMES = 8;

/**
 * Pictures of the smoke with a given initial velocity field (default at rest): the start and every step,
 * `[frame][y][x][3]`.
 */
async function smokeFilm(
  { goal, steps, sweeps }: Pick<SmokeControl, 'goal' | 'steps' | 'sweeps'>,
  device: Device,
  velocity?: ArrayLike<number>,
): Promise<Float32Array> {
  const model = smokeModel(goal, sweeps);
  const rgba = await recordOf(model, Pixel.rgba, {
    device,
    frames: steps + 1,
    frameRate: 1,
    substeps: 1,
    values: velocity ? { [SmokeCell.velocity.key]: velocity } : {},
  });
  return colorRows(layoutOf(model), rgba);
}

/** Film strip for the report: pictures of the smoke at several times, with the goal above. */
export async function smokeStrip(control: SmokeControl, velocity: ArrayLike<number>, device: Device): Promise<Strip> {
  const { goal, steps } = control;
  const { rows: height, columns: width } = goal;
  const film = await smokeFilm(control, device, velocity);
  const frames = Array.from({ length: SHOWN_FRAMES }, (_, k) => Math.round((k * steps) / (SHOWN_FRAMES - 1)));
  const shown = picturesOf(film, steps + 1);
  const target = Float32Array.from({ length: 3 * width * height }, (_, k) => goal.density[Math.floor(k / 3)]);
  return { width, height, frames, target: () => target, estimate: (k) => shown(frames[k]) };
}

/** Two frames: the initial smoke, and the goal. */
export async function smokeGoalFrames(control: SmokeControl, device: Device): Promise<RenderedFrames> {
  const { rows, columns, density } = control.goal;
  const film = await smokeFilm({ ...control, steps: 1 }, device);
  const start = film.subarray(0, film.length / 2);
  const goal = Float32Array.from(start, (_, k) => density[Math.floor(k / 3)]);
  return { width: columns, height: rows, channels: 3, frameRate: 1, data: Float32Array.from([...start, ...goal]) };
}
