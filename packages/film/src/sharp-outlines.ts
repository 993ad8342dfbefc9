import type { Frames, Track } from '@gradsim/video';
import { frameAt, outlinesOf, toLinear } from '@gradsim/video';
import type { Film } from './film.ts';
import { outlinesIn, type SeenOutline } from './outline-targets.ts';
import { middleOf, reachesOf } from './reach.ts';

/** Rays from the middle along which the rim is looked for. */
const RAYS = 180;
/** Steps along a ray, pixels. */
const STEP = 0.25;
/** What lens and encoder spread a rim over to either side, pixels. */
const SPREAD = 3;
/** No shutter is open for a larger part of a frame: what moves is spread over that part of its way. */
const SHUTTER = 0.6;
/** So many pixels inside of where it is spread show its own colour, and outside that of what is behind. */
const BESIDE = 2;
/** Colours that differ by less, in linear light, tell no rim. */
const FAINT = 0.03;
/** The rim is looked for around where a mask has it, and again around where it was found. */
const LOOKS = 2;

/**
 * The outlines of a track to parts of a pixel, of what is star-shaped about its middle. A mask says of each pixel whether it
 * differs from the background, which the blurred rim of one that moves does as far as its colour is strong: further on the sides of
 * strong colours, less on the others. Here the part of each pixel that the thing covers is followed along rays, from the thing's own
 * colour inside of the blur to that of the background outside, in light, as blur adds up: its sum is where the rim is in the middle of
 * the exposure, whatever colours it has. The background may lie in a shadow.
 *
 * ```ts
 * const seen = sharpOutlinesIn(film);
 * return [outlineStage(film, model, { name: 'toss', substeps: 64, outlines: seen, parameters })];
 * ```
 * @param track default: of what covers most in the film.
 * @throws when the track is not of the film's frames, or nothing moves in the film.
 */
export function sharpOutlinesIn(film: Film, track?: Track): (SeenOutline | undefined)[] {
  const rough = outlinesIn(film, track);
  const light = toLinear(film.frames, 'srgb');
  const empty = toLinear(film.background, 'srgb');
  const ground = frameAt(empty, 0);
  return rough.map((one, frame) => {
    if (!one?.reaches) return one;
    const way = wayOf(rough, frame);
    const within = { x: 0, y: 0, width: light.width, height: light.height };
    const lines = outlinesOf(film.masks, frame, within);
    const picture = { ...light, data: frameAt(light, frame) };
    const rays = raysFrom(lines, one.x, one.y);
    let reaches = rays.map(({ reach }) => reach);
    for (let look = 0; look < LOOKS; look++)
      reaches = rays.map(({ direction }, k) => {
        const blur = (SHUTTER / 2) * Math.abs(direction[0] * way[0] + direction[1] * way[1]);
        const ray = { x: one.x, y: one.y, direction, reach: reaches[k] };
        // A mask's rim may lie anywhere in the blur.
        const band = SPREAD + blur * (look === 0 ? 2 : 1);
        return rimAlong(ray, band, picture, ground);
      });
    const corners = rays.map(({ direction: [u, v] }, k) => [one.x + reaches[k] * u, one.y + reaches[k] * v]);
    const found = middleOf(corners);
    if (!Number.isFinite(found.x + found.y + found.size)) return one;
    return { ...found, reaches: reachesOf([corners], found.x, found.y) };
  });
}

/** How far it goes from frame to frame, pixels. */
function wayOf(outlines: readonly (SeenOutline | undefined)[], frame: number): readonly [number, number] {
  const [before, here, after] = [outlines[frame - 1], outlines[frame], outlines[frame + 1]];
  const steps = [
    [before, here],
    [here, after],
  ].flatMap(([from, to]) => (from && to ? [[to.x - from.x, to.y - from.y]] : []));
  return [0, 1].map((c) => steps.reduce((sum, step) => sum + step[c] / steps.length, 0)) as [number, number];
}

interface Ray {
  readonly x: number;
  readonly y: number;
  readonly direction: readonly [number, number];
  /** Where the rim is taken to be, pixels. */
  readonly reach: number;
}

/** Where rays leave the outline. */
function raysFrom(lines: readonly (readonly (readonly number[])[])[], x: number, y: number) {
  return Array.from({ length: RAYS }, (_, k): Pick<Ray, 'direction' | 'reach'> => {
    const angle = (2 * Math.PI * k) / RAYS;
    const direction = [Math.cos(angle), Math.sin(angle)] as const;
    return { direction, reach: reachAlong(lines, x, y, direction) };
  });
}

/** To where lines are crossed last. */
function reachAlong(
  lines: readonly (readonly (readonly number[])[])[],
  x: number,
  y: number,
  [u, v]: readonly [number, number],
): number {
  let reach = 0;
  for (const line of lines)
    line.forEach(([a, b], k) => {
      const [c, d] = line[(k + 1) % line.length];
      const [here, there] = [u * (b - y) - v * (a - x), u * (d - y) - v * (c - x)];
      if (here <= 0 === there <= 0) return;
      const part = here / (here - there);
      const along = u * (a - x + part * (c - a)) + v * (b - y + part * (d - b));
      if (along > reach) reach = along;
    });
  return reach;
}

/** How far the thing reaches along a ray, its rim being spread over a band to either side. */
function rimAlong(ray: Ray, band: number, picture: Frames, ground: Float32Array): number {
  const { x, y, direction, reach } = ray;
  const [u, v] = direction;
  const inside = Math.min(band, reach / 2);
  const from = reach - inside;
  const behind = { ...picture, data: ground };
  const mean = (of: Frames, a: number, b: number): number[] => {
    const count = Math.max(1, Math.round((b - a) / STEP));
    const sum = [0, 0, 0];
    for (let k = 0; k < count; k++) {
      const r = a + (k + 0.5) * STEP;
      colourAt(of, x + r * u, y + r * v).forEach((c, channel) => {
        sum[channel] += c / count;
      });
    }
    return sum;
  };
  const own = mean(picture, from - Math.min(BESIDE, from / 2), from);
  const [end, further] = [reach + band, reach + band + BESIDE];
  const seen = mean(picture, end, further);
  // In a shadow, what is behind has less light.
  const shade = mean(behind, end, further).map((c, channel) => Math.min(seen[channel] / Math.max(c, 1e-3), 1.5));
  let covered = 0;
  const steps = Math.round((end - from) / STEP);
  for (let k = 0; k < steps; k++) {
    const r = from + (k + 0.5) * STEP;
    const here = colourAt(picture, x + r * u, y + r * v);
    const empty = colourAt(behind, x + r * u, y + r * v).map((c, channel) => c * shade[channel]);
    let [along, square] = [0, 0];
    for (let c = 0; c < 3; c++) {
      const change = own[c] - empty[c];
      along += (here[c] - empty[c]) * change;
      square += change * change;
    }
    if (square < FAINT ** 2) return reach;
    covered += Math.min(Math.max(along / square, 0), 1) * STEP;
  }
  return from + covered;
}

/** Between the middles of four pixels; at the picture's edge the nearest. */
function colourAt({ data, width, height }: Frames, x: number, y: number): number[] {
  const [a, b] = [
    Math.min(Math.max(x - 0.5, 0), width - 1.001),
    Math.min(Math.max(y - 0.5, 0), height - 1.001),
  ];
  const [i, j] = [Math.floor(a), Math.floor(b)];
  const [s, t] = [a - i, b - j];
  return [0, 1, 2].map((c) => {
    const at = (row: number, column: number): number => data[3 * (row * width + column) + c];
    const upper = at(j, i) + s * (at(j, i + 1) - at(j, i));
    const lower = at(j + 1, i) + s * (at(j + 1, i + 1) - at(j + 1, i));
    return upper + t * (lower - upper);
  });
}
