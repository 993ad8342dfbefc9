import { isGradsimError } from '@gradsim/core';
import type { FilmInfo, Frames, Shift, Track } from '@gradsim/video';
import {
  cameraShifts,
  frameAt,
  frameCount,
  inspectFilm,
  medianBackground,
  objectMasks,
  readFrames,
  stabiliseFrames,
  trackBlobs,
} from '@gradsim/video';
import { framesThatStand, remarksOn } from './remarks.ts';
import type { LookRequest } from './request.ts';
import { isOfCamera } from './still.ts';

/** Content of a film, with frames numbered among those read, and pictures reduced by the factor `scale`. */
export interface Look {
  readonly info: FilmInfo;
  readonly first: number;
  /** Time of the first frame that was read, s since frame 0 of the file. */
  readonly start: number;
  readonly every: number;
  readonly scale: number;
  /** Frames that were read, upright and stabilised. */
  readonly frames: Frames;
  readonly background: Frames;
  readonly masks: Frames | undefined;
  /** Tracks of moving things, in frame indices and pixels of the reduced pictures. */
  readonly tracks: readonly Track[];
  readonly shifts: readonly Shift[];
  readonly remarks: readonly string[];
}

/** Maximum number of pixels of all frames together; larger films are reduced. */
const MAX_PIXELS = 24e6;
/** Shift of the picture by the camera's movement below which the camera counts as static, px. */
const MAX_STATIC_SHIFT = 0.5;

/** Reads a film, and finds what moves in it. @throws if it cannot be read. */
export async function lookAt(request: LookRequest): Promise<Look> {
  const { film, first = 0, every = 1, chroma, shadows } = request;
  const info = await inspectFilm(film);
  const last = request.last ?? info.frameCount - 1;
  const count = Math.max(1, Math.floor((last - first) / every) + 1);
  const scale = Math.min(1, Math.sqrt(MAX_PIXELS / (count * info.width * info.height)));
  const size = {
    width: Math.max(1, Math.round(info.width * scale)),
    height: Math.max(1, Math.round(info.height * scale)),
  };
  const { frameRate = info.frameRate ?? 1 } = request;
  const raw = await readFrames(film, { first, last, every, frameRate, chroma, size });
  const reference = count >> 1;
  const found = cameraShifts(raw, { reference });
  const steadied = found.some(({ x, y }) => Math.hypot(x, y) > MAX_STATIC_SHIFT) ? stabiliseFrames(raw, found) : raw;
  const moves = steadied !== raw && isOfCamera(raw, steadied, reference);
  const frames = moves ? steadied : raw;
  const shifts = moves ? found : found.map(() => ({ x: 0, y: 0 }));
  const background = await backgroundOf(frames, request, size);
  const { masks, areaErrors, why } = masksOf(frames, background, shadows, info);
  const tracks = masks ? trackBlobs(masks, { areaErrors }) : [];
  const start = info.times ? (info.times[first] * info.frameRate!) / frameRate : first / frameRate;
  const seen = { info, first, start, every, scale, frames, background, masks, tracks, shifts };
  return {
    ...seen,
    remarks: [...(why === undefined ? [] : [why]), ...remarksOn(seen, request, framesThatStand(raw), moves)],
  };
}

async function backgroundOf(
  frames: Frames,
  { background }: LookRequest,
  size: { readonly width: number; readonly height: number },
): Promise<Frames> {
  if (background !== undefined) return readFrames(background, { first: 0, last: 0, frameRate: frames.frameRate, size });
  if (frameCount(frames) >= 3) return medianBackground(frames);
  return { ...frames, data: frameAt(frames, 0).slice() };
}

/** Masks of the moving things, or the reason why there are none. */
function masksOf(
  frames: Frames,
  background: Frames,
  shadows: boolean,
  { transfer }: FilmInfo,
): { masks?: Frames; areaErrors?: ArrayLike<number>; why?: string } {
  try {
    return objectMasks(frames, background, { shadows, transfer });
  } catch (error) {
    if (isGradsimError(error)) return { why: error.message };
    throw error;
  }
}

/** The tracks in frame numbers and pixels of the file, times in s since frame 0 of the file. */
export function tracksOfFile({ tracks, first, start, every, scale }: Look): Track[] {
  return tracks.map((track) => ({
    ...track,
    points: track.points.map((point) => ({
      ...point,
      frame: first + every * point.frame,
      time: start + point.time,
      x: point.x / scale,
      y: point.y / scale,
      ...(point.area === undefined ? {} : { area: point.area / scale ** 2 }),
    })),
  }));
}
