import { median } from '@gradsim/base';
import { type EvenSteps, evenSteps, jitterOf } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import type { Pose, Poses } from './poses.ts';
import { placesOf } from './scatter.ts';

/** A pose at its time or in its frame. */
export interface TimedPose {
  /** Name of the table and number of the line. */
  readonly source: string;
  readonly frame?: number;
  /** s. */
  readonly time?: number;
  /** Time as the table has it. */
  readonly timeText?: string;
  readonly pose: Pose | null;
}

/** What is known of the frames of a table. */
export interface FrameOptions {
  /** Frames per second, where the caller says them. */
  readonly given?: number;
  /** Resolution of times, s. */
  readonly resolution: number;
  /** Maximum number of frames. */
  readonly room: number;
}

/** Maximum deviation of times from steps of a given frame rate, as a fraction of a step. */
const MAX_STEP_DEVIATION = 0.05;
/** Part of a step from which two times are no two moments. */
const MIN_STEP_FRACTION = 1e-3;
/** Frames per second from which times are too close. */
const MOST_FRAMES_A_SECOND = 1e9;
/** Maximum number of frames of all bodies of a table together, including missing ones: over two hours at 1200 Hz. */
export const MAX_FRAMES = 10_000_000;

/**
 * Puts the poses of a body into frames. Times at equal steps, however rounded, are frames, and so are stamps that waver about
 * such steps ({@link jitterOf}); others stay where they are.
 *
 * @returns the recording, and what was decided.
 * @throws when frames are not whole numbers or occur twice, times go back, or there are more frames than `room`.
 */
export function posesInFrames(
  rows: readonly TimedPose[],
  name: string,
  { given, resolution, room }: FrameOptions,
): { readonly poses: Poses; readonly remark: string } {
  const placed = withoutRepeated(rows);
  for (const { source, frame, time } of placed)
    if (frame === undefined && time === undefined)
      throw new GradsimError(
        'poses/time-missing',
        `${source} has neither a time nor a frame: the line is cut short, or its cells are empty.`,
      );
  const isTimed = placed.every((row): row is PoseTime => row.time !== undefined);
  if (isTimed) refuseDescendingTimes(placed);
  const isNumbered = placed.every(({ frame }) => frame !== undefined);
  if (isNumbered) refuseFrames(placed, name);
  const rate = given ?? (isNumbered ? rateOfFrames(placed, resolution) : undefined);
  const repeated = rows.length - placed.length;
  const dropped = repeated === 0 ? '' : `, ${repeated} repeated lines left out`;
  if (isNumbered && rate !== undefined) {
    const frames = placed.map((row) => ({ ...row, at: row.frame! }));
    return { poses: fillFrames(frames, name, rate, room), remark: `${formatRate(rate)} frames a second${dropped}` };
  }
  if (!isTimed || placed.length < 2)
    throw new GradsimError('poses/frame-rate-missing', `${name} has fewer than two times: there is no rate to tell.`, {
      field: name,
      hint: 'Give it as frameRate.',
    });
  if (given !== undefined)
    return {
      poses: fillFrames(placeAtSteps(placed, 1 / given), name, given, room),
      remark: `${formatRate(given)} frames a second${dropped}`,
    };
  const times = placed.map(({ time }) => time);
  const even = evenSteps(times, resolution);
  if (even) {
    const own = 1 / even.step;
    if (isNumbered) refuseContradictoryFrames(placed, even);
    refuseTooClose(own, even.step, name);
    const frames = placed.map((row, k) => ({ ...row, at: even.index[k] }));
    return { poses: fillFrames(frames, name, own, room), remark: `${formatRate(own)} frames a second${dropped}` };
  }
  const jitter = isNumbered ? undefined : jitterOf(times, placesOf(placed));
  if (!jitter) return { poses: placeAtTimes(placed, name, room), remark: `uneven times, kept${dropped}` };
  const own = 1 / jitter.step;
  const frames = placed.map((row, k) => ({ ...row, at: jitter.index[k] }));
  return {
    poses: fillFrames(frames, name, own, room),
    remark: `${formatRate(own)} frames a second, at which the motion is smoother than at its stamps, which are up to ${(1000 * jitter.largestDeviation).toPrecision(2)} ms off${dropped}`,
  };
}

type PoseTime = TimedPose & { readonly time: number };
type PlacedPose = TimedPose & { readonly at: number };

/** Leaves out lines that repeat the one before, time or frame included. */
const withoutRepeated = (rows: readonly TimedPose[]): TimedPose[] =>
  rows.filter((row, k) => {
    const before = rows[k - 1];
    if (!before || row.frame !== before.frame || row.time !== before.time || !row.pose || !before.pose) return true;
    const values = ({ position, orientation }: Pose): string => [...position, ...orientation].join(' ');
    return values(row.pose) !== values(before.pose);
  });

function refuseDescendingTimes(rows: readonly PoseTime[]): void {
  const at = rows.findIndex(({ time }, k) => k > 0 && time < rows[k - 1].time);
  if (at < 0) return;
  throw new GradsimError(
    'poses/time-back',
    `${rows[at].source}: the time ${rows[at].timeText} is before that of the line above, ${rows[at - 1].timeText}.`,
    { hint: 'Lines must be in the order of time. Split the recording there if the clock began anew.' },
  );
}

/** @throws for frame numbers that are not whole numbers, or are there twice. */
function refuseFrames(rows: readonly TimedPose[], name: string): void {
  const lines = new Map<number, string>();
  for (const { source, frame = 0 } of rows) {
    if (!Number.isInteger(frame) || frame < 0)
      throw new GradsimError(
        'poses/time-off-grid',
        `${source}: frame is ${frame}; it must be a whole number of at least 0.`,
      );
    if (lines.has(frame))
      throw new GradsimError('poses/frame-twice', `${source}: frame ${frame} of ${name} is there twice.`);
    lines.set(frame, source);
  }
}

/** @throws where frame numbers say something else than times at equal steps. */
function refuseContradictoryFrames(rows: readonly PoseTime[], { index, step }: EvenSteps): void {
  const wrong = rows.findIndex(({ frame }, k) => k > 0 && frame! - rows[k - 1].frame! !== index[k] - index[k - 1]);
  if (wrong < 0) return;
  const [before, row] = [rows[wrong - 1], rows[wrong]];
  throw new GradsimError(
    'poses/time-off-grid',
    `${row.source}: frame is ${row.frame} after ${before.frame} (${before.source}), and the time ${row.timeText} is ${index[wrong] - index[wrong - 1]} steps of ${step.toPrecision(4)} s after that of the line above.`,
    { hint: 'Correct the frame or the time, or leave out one of both columns.' },
  );
}

/** Frames per second of rows with frame numbers, if their times are those of the frames; undefined if not. */
function rateOfFrames(rows: readonly TimedPose[], resolution: number): number | undefined {
  const own = rows.filter((row): row is PoseTime => row.time !== undefined);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last || !(last.frame! > first.frame!)) return undefined;
  const step = (last.time - first.time) / (last.frame! - first.frame!);
  const off = Math.max(0.02 * step, 1.2 * resolution);
  const isEven = own.every(({ frame, time }) => Math.abs(time - first.time - (frame! - first.frame!) * step) <= off);
  return isEven && step > 0 ? 1 / step : undefined;
}

/** Frames of a given rate. @throws where a time is between two. */
function placeAtSteps(rows: readonly PoseTime[], step: number): PlacedPose[] {
  return rows.map((row) => {
    const at = (row.time - rows[0].time) / step;
    if (Math.abs(at - Math.round(at)) <= MAX_STEP_DEVIATION) return { ...row, at: Math.round(at) };
    throw new GradsimError(
      'poses/time-off-grid',
      `${row.source}: the time ${row.timeText} is not at a whole number of steps of ${step.toPrecision(4)} s from the first.`,
      { hint: 'Leave frameRate away: times are used as they are.' },
    );
  });
}

/** Poses at times of their own; the time between two that are far apart is divided by frames without a pose. */
function placeAtTimes(rows: readonly PoseTime[], name: string, room: number): Poses {
  const count = rows.length - 1;
  const intervals = rows.slice(1).map(({ time }, k) => time - rows[k].time);
  const usual = median(intervals);
  refuseClose(rows, intervals);
  const frameTimes: number[] = [];
  const frames = rows.map((row, k): PlacedPose => {
    const at = frameTimes.length;
    const parts = k < count ? Math.max(1, Math.round(intervals[k] / usual)) : 1;
    if (at + parts > room) refuseTooManyFrames({ ...(rows[k + 1] ?? row), at: at + parts }, usual);
    for (let part = 0; part < parts; part++)
      frameTimes.push(row.time - rows[0].time + ((intervals[k] ?? 0) * part) / parts);
    return { ...row, at };
  });
  const { poses } = fillFrames(frames, name, 1 / usual, room);
  return { name, frameTimes, poses };
}

/**
 * @throws for lines that are no two moments: far closer than the longer half of the steps, which one wrong time moves
 * little. Where these differ by as much, either line may be the wrong one, and both are named.
 */
function refuseClose(rows: readonly PoseTime[], intervals: readonly number[]): void {
  const longer = [...intervals].sort((a, b) => a - b).slice(intervals.length >> 1);
  const step = median(longer);
  const close = intervals.findIndex((interval) => !(interval > MIN_STEP_FRACTION * step));
  if (close < 0) return;
  const after = (k: number): string =>
    `the time ${rows[k + 1].timeText} is ${intervals[k].toPrecision(3)} s after that of the line above`;
  const far = longer.length < 3 ? intervals.indexOf(Math.max(...longer)) : -1;
  throw new GradsimError(
    'poses/times-too-close',
    far < 0
      ? `${rows[close + 1].source}: ${after(close)}, and steps are ${step.toPrecision(3)} s.`
      : `${rows[close + 1].source}: ${after(close)}, and ${rows[far + 1].source}: ${after(far)}.`,
    { hint: far < 0 ? 'Leave out one of both lines.' : 'Correct or leave out the line whose time is wrong.' },
  );
}

function refuseTooClose(rate: number, step: number, name: string): void {
  if (rate <= MOST_FRAMES_A_SECOND) return;
  throw new GradsimError(
    'poses/times-too-close',
    `${name}: times are ${step} s apart, too close for a frame rate. Times are in seconds; or give frameRate.`,
  );
}

function refuseTooManyFrames(
  { source, frame, timeText, at }: Pick<PlacedPose, 'source' | 'frame' | 'timeText' | 'at'>,
  step: number,
): never {
  throw new GradsimError(
    'poses/too-many-frames',
    `${source}: ${frame === undefined ? `the time ${timeText} is ${at} steps of ${step.toPrecision(4)} s from the first` : `frame is ${frame}`}; a table may have ${MAX_FRAMES} frames in all, from frame 0 on, those that are missing counted.`,
  );
}

function fillFrames(rows: readonly PlacedPose[], name: string, frameRate: number, room: number): Poses {
  const poses: (Pose | null)[] = [];
  for (const { source, frame, timeText, at, pose } of rows) {
    if (at >= room) refuseTooManyFrames({ source, frame, timeText, at }, 1 / frameRate);
    if (poses[at]) throw new GradsimError('poses/frame-twice', `${source}: frame ${at} of ${name} is there twice.`);
    while (poses.length < at) poses.push(null);
    poses[at] = pose;
  }
  return { name, frameRate, poses };
}

const formatRate = (rate: number): string => String(Number(rate.toPrecision(4)));
