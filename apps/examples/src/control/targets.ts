import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { KeyFrame } from '@gradsim/control';
import { keyedRun, parseKeyFrames, silhouetteOf } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { layoutOf } from '@gradsim/render';
import { readFrames, resizeFrames } from '@gradsim/video';
import { fitPose } from './pose-fit.ts';
import type { Goal, GoalPicture } from './reach.ts';
import type { ControlTask } from './task.ts';

/** Minimum intersection over union of a picture and its fit, 0 to 1, for the fit's position to be used. */
const MIN_OVERLAP = 0.75;

/** A control task whose goal was read from a file, with that goal. */
export interface TargetedTask {
  readonly task: ControlTask;
  readonly goal: Goal;
  /** Intersection over union of the silhouettes of the last picture and the pose fitted to it. */
  readonly overlap: number;
}

/**
 * Reads the goal of a task from a picture of its last frame, or from a text file of key frames (`.txt`, with lines such
 * as `at 1.5 s: goal.png`; the pictures are in the same folder). Only outlines are compared, not colours. The position
 * of the centre of mass in the last picture is found by fitting the task's object to it.
 *
 * @throws for a picture that is smaller than those of the task or has another aspect ratio, and for an invalid text,
 * with the number of the line.
 */
export async function targetOf(task: ControlTask, file: string, device: Device): Promise<TargetedTask> {
  const { timeline } = task;
  const rate = Math.round(timeline.substeps * timeline.frameRate);
  const seconds = (timeline.frames - 1) / timeline.frameRate;
  const isText = file.endsWith('.txt');
  const keys: KeyFrame[] = isText
    ? await namedTarget(file, async () => parseKeyFrames(await readFile(file, 'utf8')))
    : [{ time: seconds, file: resolve(file), line: 1 }];
  const { keyFrameNumbers: at, ...run } = await namedTarget(file, async () => keyedRun(keys, { seconds, rate }));
  const pictures: GoalPicture[] = [];
  for (const [k, key] of keys.entries()) {
    const picture = resolve(dirname(file), key.file);
    const read = (): Promise<Omit<GoalPicture, 'frame'>> => readGoal(task, picture, key.file);
    const where = isText ? `${file}, line ${key.line}` : undefined;
    pictures.push({ ...(await namedTarget(where, read)), frame: at[k] });
  }
  const { centre, overlap } = await fitPose(task, pictures[pictures.length - 1].image, device);
  return {
    task: { ...task, timeline: run },
    goal: { pictures, centre: overlap >= MIN_OVERLAP ? centre : null },
    overlap,
  };
}

/** Calls a function, and prefixes the message of an error with the file's name. */
async function namedTarget<T>(file: string | undefined, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (cause) {
    if (file === undefined) throw cause;
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function readGoal({ model }: ControlTask, file: string, name: string): Promise<Omit<GoalPicture, 'frame'>> {
  const { width, height } = layoutOf(model);
  const picture = await readFrames(file, { frameRate: 1, last: 0 });
  if (picture.width < width || picture.height < height || picture.width * height !== picture.height * width)
    throw new Error(
      `The picture ${name} has ${picture.width} x ${picture.height} pixels; for pictures of ${width} x ${height} it must be of that shape, and no smaller. Give another, or the setting size.`,
    );
  // The silhouette comes first: of pixels at outlines it then tells which part is covered.
  const { alpha } = silhouetteOf(picture, { name });
  const repeated = Float32Array.from({ length: 3 * alpha.length }, (_, k) => alpha[Math.floor(k / 3)]);
  const whole = { ...picture, channels: 3 as const };
  const covered = resizeFrames({ ...whole, data: repeated }, { width, height }).data;
  const rgb = Float32Array.from(
    { length: 3 * alpha.length },
    (_, k) => picture.data[Math.floor(k / 3) * picture.channels + (k % 3)],
  );
  return {
    image: {
      width,
      height,
      name,
      alpha: Float64Array.from({ length: width * height }, (_, k) => Math.min(covered[3 * k], 1)),
    },
    rgb: resizeFrames({ ...whole, data: rgb }, { width, height }).data,
  };
}
