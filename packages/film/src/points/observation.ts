import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Observation } from '@gradsim/optim';
import type { Track, TrackPoint } from '@gradsim/video';
import { pointFields } from './options.ts';

/** Options of {@link pointObservation}. */
export interface PointObservationOptions {
  /** First and last frame of the run, numbered as in the tracks. */
  readonly first?: number;
  readonly last: number;
  /** Stride of the compared frames: 1 compares every frame. Default 1. */
  readonly every?: number;
  /**
   * Standard deviation of the tracked positions, px; `measured` computes it from their scatter between frames, which
   * needs six frames. Default `measured`.
   */
  readonly noise?: number | 'measured';
  /** Frame rate of the problem, frames/s: tracks with times that imply another rate, or are uneven, are refused. */
  readonly frameRate?: number;
  /**
   * True if the plugin `points` has an `exposure`: the film's frame f is then compared with the problem's frame f + 1.
   * Default false.
   */
  readonly exposed?: boolean;
  /** Name of the plugin `points` to compare with. Default `points`. */
  readonly name?: string;
}

/**
 * Points tracked in the picture as targets for the plugin `points`: px from the left and the upper edge of the picture,
 * as from `readTracks` and the program Tracker (add 0.5 if whole numbers are centres of pixels, as in OpenCV). A frame
 * in which a point has no position has weight 0 for that point.
 *
 * ```ts
 * const tracks = readTracks(await readFile('ball.csv', 'utf8'), { frameRate: 120 });
 * const observation = pointObservation([tracks], { last: 59 });
 * // Two cameras: [pointObservation([ofLeft, ofRight], { last: 59 })]. The problem has 60 frames, or 61 with an exposure.
 * ```
 * @param tracks by camera and by point, in the order of `points`; null for a point that a camera does not see.
 * @throws if cameras have different numbers of points, for invalid frames, times that contradict `frameRate`, and if no
 * point is visible.
 */
export function pointObservation(
  tracks: readonly (readonly (Track | null)[])[],
  options: PointObservationOptions,
): Observation {
  refuseUnknownOptions<PointObservationOptions>('pointObservation', options, {
    first: 0,
    last: 0,
    every: 0,
    noise: 0,
    frameRate: 0,
    exposed: 0,
    name: 0,
  });
  const { first = 0, last, every = 1, noise = 'measured', exposed = false, name, frameRate } = options;
  if (![first, last, every].every(Number.isInteger) || first < 0 || last < first || every < 1)
    throw new GradsimError('film/option-out-of-range', 'pointObservation.', {
      field: 'first',
      hint: `First is ${first}, last ${last}, every ${every}; they must be frames, the first not after the last.`,
    });
  if (noise !== 'measured' && !(noise > 0 && Number.isFinite(noise)))
    throw new GradsimError('film/option-out-of-range', `pointObservation: noise is ${describeValue(noise)}.`, {
      field: 'noise',
      hint: "It must be a number of pixels above 0, or 'measured'.",
    });
  const points = tracks[0]?.length ?? 0;
  const odd = tracks.findIndex((ofCamera) => ofCamera.length !== points);
  if (points === 0 || odd >= 0)
    throw new GradsimError(
      'film/wrong-size',
      `pointObservation: camera ${Math.max(odd, 0)} has ${tracks[odd]?.length ?? points} tracks and camera 0 has ${points}; each needs one for each point, null where it does not see it.`,
    );
  if (frameRate !== undefined) requireRate(tracks.flat(), frameRate);
  const count = Math.floor((last - first) / every) + 1;
  const shift = exposed ? 1 : 0;
  const length = 2 * tracks.length * points;
  const target = new Float64Array((count + shift) * length).fill(Number.NaN);
  const weights = new Float64Array(target.length);
  tracks.flat().forEach((track, sight) => {
    for (const { frame, x, y } of track?.points ?? []) {
      const k = (frame - first) / every;
      if (k < 0 || frame > last || !Number.isInteger(k)) continue;
      const at = (k + shift) * length + 2 * sight;
      [target[at], target[at + 1]] = [x, y];
      weights.fill(1, at, at + 2);
    }
  });
  if (weights.every((weight) => weight === 0))
    throw new GradsimError(
      'film/no-frames',
      `pointObservation: no track has a point in the frames ${first} to ${last}.`,
    );
  return {
    field: pointFields(name).seen,
    target,
    weights,
    noise,
    ...(exposed ? { frames: Array.from({ length: count }, (_, k) => k + 1) } : {}),
  };
}

/** Tolerated relative difference between frame rates, as between 29.97 and 30, or due to jitter of a clock. */
const RATE_OFF = 0.02;

/** Part of a frame by which a time may be off an even one: rounded times are off by less. */
const FRAME_OFF = 0.15;

/** @throws for tracks whose frames and times imply another frame rate, or are uneven. */
function requireRate(tracks: readonly (Track | null)[], frameRate: number): void {
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('film/option-out-of-range', `pointObservation: frameRate is ${describeValue(frameRate)}.`, {
      field: 'frameRate',
      hint: 'It must be a number above 0.',
    });
  for (const track of tracks) {
    const [from, to] = [track?.points[0], track?.points.at(-1)];
    if (!from || !to || from === to) continue;
    const rate = (to.frame - from.frame) / (to.time - from.time);
    if (Math.abs(rate / frameRate - 1) > RATE_OFF)
      throw new GradsimError(
        'film/other-frame-rate',
        `pointObservation: the track ${track!.name} has ${Number(rate.toPrecision(4))} frames a second, and frameRate is ${frameRate}.`,
        { hint: 'They must be alike. Where its times are wrong, read it with the frameRate it was taken with.' },
      );
    const off = (point: TrackPoint): number => (point.time - from.time) * rate - (point.frame - from.frame);
    const uneven = track!.points.find((point) => Math.abs(off(point)) > FRAME_OFF);
    if (uneven)
      throw new GradsimError(
        'film/other-frame-rate',
        `pointObservation: the track ${track!.name} has frame ${uneven.frame} at ${Number(uneven.time.toPrecision(5))} s, ${Math.abs(off(uneven)).toFixed(2)} frames from where an even rate has it.`,
        { hint: 'Give the problem the times of its frames as frameTimes, and leave frameRate out here.' },
      );
  }
}
