import type { ObservedOutline } from '@gradsim/film';
import { middleOf, reachesOf } from '@gradsim/film';
import type { Frames } from '@gradsim/video';

/** Number of rays from the centre along which the outline is searched. */
const RAYS = 180;
/** Distance inside and outside the rough outline within which the edge is searched, px. */
const BAND = 5;
/** Spacing of samples along a ray, px. */
const STEP = 0.25;
/** Number of pixels beyond the band, at either end, whose mean is the colour of the object or of the background. */
const BESIDE = 2;

/**
 * Refines an outline to fractions of a pixel. Along each ray from the centre, the colour changes from the object's to
 * the background's over a width that blur, lens and encoder cause; the edge is placed at half of that change. Where
 * both colours hardly differ, the rough outline is kept.
 *
 * @param whole mask of the rough object, 1 inside; the object must be star-shaped around its centre.
 */
export function sharpened(rough: ObservedOutline, whole: Uint8Array, picture: Frames): ObservedOutline {
  const corners = Array.from({ length: RAYS }, (_, k) => {
    const angle = (2 * Math.PI * k) / RAYS;
    const direction: Direction = [Math.cos(angle), Math.sin(angle)];
    const reach = reachOf(rough, whole, picture, direction);
    const at = edgeAlong(rough, picture, direction, reach);
    return [rough.x + at * direction[0], rough.y + at * direction[1]];
  });
  const found = middleOf(corners);
  // Rays from a middle that lies outside, between two things, may bound no area.
  if (!Number.isFinite(found.x + found.y + found.size)) return rough;
  return { ...found, reaches: reachesOf([corners], found.x, found.y) };
}

/**
 * Refines the outline of a horizontal object such as a beam to fractions of a pixel, like {@link sharpened}: the upper
 * and the lower edge are searched in each pixel column. The ends of the rough outline are kept.
 */
export function sharpenedColumns(rough: ObservedOutline, whole: Uint8Array, picture: Frames): ObservedOutline {
  const { width, height } = picture;
  const [upper, lower]: number[][][] = [[], []];
  for (let column = 0; column < width; column++) {
    let [sum, count] = [0, 0];
    for (let row = 0; row < height; row++)
      if (whole[row * width + column] === 1) {
        sum += row + 0.5;
        count++;
      }
    if (count === 0) continue;
    const middle = { ...rough, x: column + 0.5, y: sum / count };
    const edge = (way: Direction): number => edgeAlong(middle, picture, way, reachOf(middle, whole, picture, way));
    upper.push([middle.x, middle.y - edge([0, -1])]);
    lower.push([middle.x, middle.y + edge([0, 1])]);
  }
  const found = middleOf([...upper, ...lower.reverse()]);
  return Number.isFinite(found.x + found.y + found.size) ? found : rough;
}

type Direction = readonly [number, number];

/** Distance of the rough outline from the centre along a ray, px. */
function reachOf({ x, y }: ObservedOutline, whole: Uint8Array, { width, height }: Frames, [u, v]: Direction): number {
  let reach = 0;
  for (let r = 0; ; r += STEP) {
    const [column, row] = [Math.floor(x + r * u), Math.floor(y + r * v)];
    if (column < 0 || row < 0 || column >= width || row >= height) return reach;
    if (whole[row * width + column] === 1) reach = r + STEP / 2;
    else if (r > reach + BAND) return reach;
  }
}

/** Distance along a ray, px, at which the colour is halfway between the object's and the background's. */
function edgeAlong({ x, y }: ObservedOutline, picture: Frames, [u, v]: Direction, reach: number): number {
  const band = Math.min(BAND, 0.5 * reach);
  const from = reach - band;
  const colours = (a: number, b: number): number[] => {
    const sum = [0, 0, 0];
    const count = Math.round((b - a) / STEP);
    for (let k = 0; k < count; k++) {
      const r = a + (k + 0.5) * STEP;
      colourAt(picture, x + r * u, y + r * v).forEach((value, c) => {
        sum[c] += value / count;
      });
    }
    return sum;
  };
  const inner = colours(from - Math.min(BESIDE, from / 2), from);
  const outer = colours(reach + band, reach + band + BESIDE);
  const change = inner.map((value, c) => value - outer[c]);
  const square = change.reduce((sum, value) => sum + value * value, 0);
  const steps = Math.round((2 * band) / STEP);
  let covered = 0;
  for (let k = 0; k < steps; k++) {
    const r = from + (k + 0.5) * STEP;
    const seen = colourAt(picture, x + r * u, y + r * v);
    const part = seen.reduce((sum, value, c) => sum + (value - outer[c]) * change[c], 0) / square;
    covered += Math.min(Math.max(part, 0), 1) * STEP;
  }
  return square > FAINT ** 2 ? from + covered : reach;
}

/** Minimum Euclidean distance of the colours on both sides of an edge, in linear light from 0 to 1. */
const FAINT = 0.03;

/** Colour at a point of the picture, bilinear between pixel centres; beyond the outermost centres it is clamped. */
function colourAt({ data, width, height }: Frames, x: number, y: number): number[] {
  const [a, b] = [Math.min(Math.max(x - 0.5, 0), width - 1.001), Math.min(Math.max(y - 0.5, 0), height - 1.001)];
  const [i, j] = [Math.floor(a), Math.floor(b)];
  const [s, t] = [a - i, b - j];
  return [0, 1, 2].map((c) => {
    const at = (row: number, column: number): number => data[3 * (row * width + column) + c];
    const upper = at(j, i) + s * (at(j, i + 1) - at(j, i));
    const lower = at(j + 1, i) + s * (at(j + 1, i + 1) - at(j + 1, i));
    return upper + t * (lower - upper);
  });
}
