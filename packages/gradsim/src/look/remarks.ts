import { upperMedian } from '@gradsim/base';
import { unevenTimes } from '@gradsim/film';
import type { FilmInfo, Frames, Shift, Track } from '@gradsim/video';
import { frameAt, frameCount } from '@gradsim/video';
import { formatNumber } from '../terminal/numbers.ts';
import { cutRemark, cutsIn, jumpsOf } from './cuts.ts';
import type { LookRequest } from './request.ts';

/** Data that remarks on a film are based on. */
interface Seen {
  readonly info: FilmInfo;
  readonly first: number;
  readonly every: number;
  readonly scale: number;
  readonly frames: Frames;
  readonly tracks: readonly Track[];
  readonly shifts: readonly Shift[];
}

/**
 * Mean change between two frames, relative to the film's median change, below which the second frame is a repetition.
 */
const NO_CHANGE = 0.05;
/** Median relative error of the area of a track's masks above which it is reported. */
const LARGE_ERROR = 0.05;
/** Ratio of a track's area to the largest track's area above which the track is shown. */
const LARGE = 0.1;
/** Maximum number of frames listed in a remark. */
const MAX_NAMES = 12;

/** Indices, among the frames read, of frames that repeat the frame before. */
export function framesThatStand(frames: Frames): number[] {
  const changes = Array.from({ length: frameCount(frames) - 1 }, (_, k) => {
    const [before, after] = [frameAt(frames, k), frameAt(frames, k + 1)];
    let sum = 0;
    for (let i = 0; i < after.length; i++) sum += Math.abs(after[i] - before[i]);
    return sum;
  });
  const usual = upperMedian(changes);
  return changes.flatMap((change, k) => (change < NO_CHANGE * usual || change === 0 ? [k + 1] : []));
}

/** Remarks on a film for its use in an estimate. */
export function remarksOn(seen: Seen, request: LookRequest, standing: readonly number[], moves: boolean): string[] {
  const { info, shifts, scale, tracks, first, every } = seen;
  const remarks: string[] = [];
  const own = info.frameRate;
  if (own === undefined && request.frameRate === undefined)
    remarks.push(
      'It has no clock, as images and GIFs without delays have none: one frame a second is taken here. Give --frame-rate.',
    );
  if (own !== undefined && request.frameRate !== undefined && Math.abs(own / request.frameRate - 1) > 0.01)
    remarks.push(
      `Its clock says ${formatNumber(own)} frames a second, and --frame-rate ${formatNumber(request.frameRate)}: one of the two is wrong. Leave it out, or say clock: 'wrong' where the film is read, as of slow motion.`,
    );
  const uneven = unevenTimes(info);
  if (uneven)
    remarks.push(
      `Frames at uneven times: ${uneven}, used as stated. If pictures were taken evenly, and only their time stamps are wrong, write the film anew at one rate.`,
    );
  const cuts = cutsIn(seen.frames);
  for (const cut of cuts) remarks.push(cutRemark(first + cut * every));
  if (standing.length > 0) remarks.push(`${frameNames(standing, seen)} the one before once more.`);
  if (moves) {
    const farthest = Math.max(...shifts.map(({ x, y }) => Math.hypot(x, y))) / scale;
    remarks.push(
      `The camera moves, by up to ${formatNumber(farthest, 2)} pixels. This is undone here; read it with steady: true.`,
    );
  }
  const joined = cuts.length > 0 ? [] : largeOnes(tracks).flatMap((track) => jumpRemarks(track, seen));
  return [...remarks, ...joined, ...largeOnes(tracks).flatMap(remarksOnTrack)];
}

function jumpRemarks(track: Track, { first, every }: Seen): string[] {
  return jumpsOf(track).map((frame) => {
    const at = first + frame * every;
    return `Track ${track.name} jumps before frame ${at}, as where films of one scene are joined: estimate from one part, by first or last.`;
  });
}

/**
 * Tracks whose area is considerable relative to the largest one's; smaller ones are mostly noise and traces of others.
 */
export function largeOnes(tracks: readonly Track[]): Track[] {
  const covers = ({ points }: Track): number => points.reduce((sum, { area = 0 }) => sum + area, 0);
  return tracks.filter((track) => covers(track) >= LARGE * covers(tracks[0]));
}

function remarksOnTrack({ name, points }: Track): string[] {
  const cut = points.filter(({ blob }) => blob && !blob.isWhole).length;
  const error = upperMedian(points.map(({ areaError = 0 }) => areaError));
  const steps = points.slice(1).map((p, k) => Math.hypot(p.x - points[k].x, p.y - points[k].y));
  const width = 2 * Math.sqrt(upperMedian(points.map(({ area = 0 }) => area)) / Math.PI);
  const fastest = Math.max(...steps);
  return [
    ...(cut > 0 ? [`Track ${name} touches the border of the picture in ${cut} of ${points.length} frames.`] : []),
    ...(error > LARGE_ERROR
      ? [`The area of track ${name} may be off by ${Math.round(100 * error)} %: its rim is shaded, or in shadow.`]
      : []),
    ...(fastest > width
      ? [
          `Track ${name} moves by up to ${formatNumber(fastest / width, 2)} of its widths a frame: outlines do not overlap from one to the next, so start from its track (startOfFlight of @gradsim/film).`,
        ]
      : []),
  ];
}

function frameNames(standing: readonly number[], { first, every }: Seen): string {
  const names = standing.map((k) => first + k * every);
  if (names.length === 1) return `Frame ${names[0]} shows`;
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return `${names.length} frames (${shown}${more}) each show`;
}
