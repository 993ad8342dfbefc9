import type { Frames, Track } from '@gradsim/video';
import { createFrames, encodePng, frameAt, outlinesOf } from '@gradsim/video';
import { contactSheet, type Sheet } from '../report/comparison.ts';
import type { Look } from './measure.ts';

/** Line colours of tracks, light enough to show on any film. */
const COLOURS: readonly (readonly [number, number, number])[] = [
  [0.1, 0.95, 0.95],
  [1, 0.85, 0.1],
  [1, 0.35, 0.9],
  [0.4, 1, 0.4],
];
/** Minimum distance between two images of a thing in a strobe picture, as a multiple of its width. */
const MIN_IMAGE_DISTANCE = 1.3;
/** Target length of the longer side of enlarged small pictures, px; the factor is rounded to a whole number. */
const ENLARGED_SIDE = 480;

/**
 * Film of three pictures side by side: the frame with outlines and paths, the masks, and the frame cut out by the
 * masks.
 */
export function frameSheet(look: Look): Promise<Sheet> {
  const { frames, masks } = look;
  const zoom = zoomOf(frames);
  const count = frames.data.length / (frames.width * frames.height * 3);
  const { times } = look.info;
  return contactSheet(
    {
      width: zoom * frames.width,
      height: zoom * frames.height,
      frames: Array.from({ length: count }, (_, k) => look.first + k * look.every),
    },
    (f) => {
      const [seen, mask] = [frameAt(frames, f), masks && frameAt(masks, f)];
      const covered = seen.map((_, i) => mask?.[Math.floor(i / 3)] ?? 0);
      return [
        drawn(look, seen, zoom, f),
        enlarged(covered, frames, zoom),
        enlarged(
          seen.map((value, i) => value * covered[i]),
          frames,
          zoom,
        ),
      ];
    },
    times ? { frameTimes: times } : { frameRate: frames.frameRate * look.every },
  );
}

/** Stroboscopic picture as a PNG: the background, the moving thing at several times, and its path. */
export async function strobe(look: Look): Promise<Uint8Array> {
  const { frames, background, masks, tracks } = look;
  const zoom = zoomOf(frames);
  const picture = frameAt(background, 0).slice();
  if (masks) {
    const count = masks.data.length / (masks.width * masks.height);
    for (const f of apart(tracks[0], count)) {
      const [seen, mask] = [frameAt(frames, f), frameAt(masks, f)];
      for (let i = 0; i < picture.length; i++) picture[i] += mask[Math.floor(i / 3)] * (seen[i] - picture[i]);
    }
  }
  const canvas = enlarged(picture, frames, zoom);
  tracks.forEach((track, k) => paths(canvas, look, zoom, track, k));
  const film = createFrames({ ...frames, width: zoom * frames.width, height: zoom * frames.height }, 1);
  film.data.set(canvas);
  return encodePng(film);
}

const zoomOf = ({ width, height }: Frames): number => Math.max(1, Math.round(ENLARGED_SIDE / Math.max(width, height)));

/** Frames of a track chosen so that the thing has moved by at least `MIN_IMAGE_DISTANCE` of its widths from one to the next. */
function apart(track: Track | undefined, count: number): number[] {
  if (!track) return [0];
  const frames: number[] = [];
  let last = { x: Number.NEGATIVE_INFINITY, y: 0 };
  for (const { frame, x, y, area = 1 } of track.points) {
    const width = 2 * Math.sqrt(area / Math.PI);
    if (frame >= count || Math.hypot(x - last.x, y - last.y) < MIN_IMAGE_DISTANCE * width) continue;
    frames.push(frame);
    last = { x, y };
  }
  return frames;
}

/** A frame, enlarged, with the outlines of the moving things and their paths up to this frame. */
function drawn(look: Look, frame: Float32Array, zoom: number, index: number): Float32Array {
  const canvas = enlarged(frame, look.frames, zoom);
  look.tracks.forEach((track, k) => {
    const until = { ...track, points: track.points.filter((point) => point.frame <= index) };
    paths(canvas, look, zoom, until, k);
  });
  if (look.masks)
    for (const line of outlinesOf(look.masks, index))
      line.forEach(([x, y], k) => {
        const [u, v] = line[(k + 1) % line.length];
        stroke(canvas, look.frames, zoom, [x * zoom, y * zoom], [u * zoom, v * zoom], [1, 1, 1]);
      });
  return canvas;
}

function paths(canvas: Float32Array, { frames }: Look, zoom: number, track: Track, k: number): void {
  const colour = COLOURS[k % COLOURS.length];
  const places = track.points.map(({ x, y }) => [x * zoom, y * zoom] as const);
  places.forEach((place, i) => {
    if (i > 0) stroke(canvas, frames, zoom, places[i - 1], place, colour);
    for (const d of [-1, 0, 1]) {
      dot(canvas, frames, zoom, place[0] + d, place[1], colour);
      dot(canvas, frames, zoom, place[0], place[1] + d, colour);
    }
  });
}

type Place = readonly [number, number];

function stroke(
  canvas: Float32Array,
  size: Frames,
  zoom: number,
  from: Place,
  to: Place,
  colour: readonly number[],
): void {
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1])));
  for (let s = 0; s <= steps; s++) {
    const [x, y] = [0, 1].map((c) => from[c] + ((to[c] - from[c]) * s) / steps);
    dot(canvas, size, zoom, x, y, colour);
  }
}

function dot(
  canvas: Float32Array,
  { width, height }: Frames,
  zoom: number,
  x: number,
  y: number,
  colour: readonly number[],
): void {
  const [u, v] = [Math.floor(x), Math.floor(y)];
  if (u < 0 || v < 0 || u >= zoom * width || v >= zoom * height) return;
  canvas.set(colour, 3 * (v * zoom * width + u));
}

function enlarged(picture: Float32Array, { width, height }: Frames, zoom: number): Float32Array {
  if (zoom === 1) return picture.slice();
  const out = new Float32Array(picture.length * zoom * zoom);
  for (let y = 0; y < height * zoom; y++) {
    for (let x = 0; x < width * zoom; x++) {
      const from = 3 * (Math.floor(y / zoom) * width + Math.floor(x / zoom));
      const to = 3 * (y * width * zoom + x);
      for (let c = 0; c < 3; c++) out[to + c] = picture[from + c];
    }
  }
  return out;
}
