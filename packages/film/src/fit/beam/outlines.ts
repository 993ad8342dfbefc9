import { refuseUnknownOptions } from '@gradsim/core';
import type { Check } from '@gradsim/optim';
import type { FilmCamera } from '../../camera.ts';
import type { Film } from '../../film.ts';
import { outline } from '../../outlines/fields.ts';
import type { SeenOutline } from '../../outlines/targets.ts';
import { mainFrequency } from '../../starts/frequency.ts';
import { solve } from '../../starts/least-squares.ts';
import { type Cut, cutAround, type Pictures, picturesIn, refuseOtherFilm } from '../cut.ts';
import type { BeamOutlineOptions, Layer } from './picture.ts';
import { BentBeam, blurred, layerOf, STRAIGHT, sampleLayer } from './picture.ts';
import { decayOf, swingsOf } from './swings.ts';

/** How a beam was found to be bent. */
export interface BeamOutlines {
  /** In the middle of the exposure, by frame. */
  readonly outlines: readonly SeenOutline[];
  /** Of its free end, upwards from frame 0, m. By frame. */
  readonly tips: readonly number[];
  /** The part of a frame's time that the shutter was open; 0 where nothing is fast enough to tell. */
  readonly shutter: number;
  /** For the problem that compares them: grave where something else is seen in front of it. */
  readonly check: Check;
}

/** Pixels above and below that are compared as well. */
const MARGIN = 24;
const BESIDE = 5;
/** Parts of the length: beside the clamp, and at the end, which comes nearer as it bends, pixels say little. */
const [FIRST, LAST] = [0.1, 0.96];
/** Columns of pixels from one that is compared to the next: an encoder's blocks hold more. */
const STRIDE = 2;
/** Rounds of the search: steps of the differences, pixels, first long to feel what is far; and light that is forgiven. */
type Round = readonly [step: number, forgiven: number];
const FAR: readonly Round[] = [
  [3, 1],
  [3, 1],
  [2, 0.5],
  [1, 0.3],
  [0.5, 0.15],
];
const NEAR: readonly Round[] = [
  [0.5, 0.15],
  [0.25, 0.1],
  [0.25, 0.1],
];
/** As it bends both sides that are seen are lit otherwise, by parts that change evenly along it. */
const SHADES = 4;
/** Where the search for the shutter starts, and frames that tell it: in which the end goes so many pixels in a frame's time, at most so many of them. */
const SHUTTER = 0.35;
const FAST = 3;
const MOST = 12;
/** A beam of which a larger part is not explained was not found; and how far up and down its end may be, parts of its length. */
const LOST = 0.15;
const FARTHEST = 0.5;
/**
 * What a height is off by in one frame, for each pixel that it moves in a frame, and so many times what the scatter of pixels says.
 * Against films of known bends heights scatter by 0.01 to 0.05 pixels.
 */
const DOUBT = 0.03;
const WAY_DOUBT = 0.01;
const TOGETHER = 7;

/**
 * The outlines of a beam that is clamped at one end, straight and at rest in frame 0, from all of its pixels: the beam of frame 0,
 * taken off its background by what is known of its place, is bent over the background of each other frame, blurred by its motion
 * while the shutter was open, until it looks the same. Stripes and shades on it do no harm, and what lies behind its edges is known.
 * So the background has to be a picture without the beam: it hides the same place in all frames, and none could be made of these.
 *
 * A frame shows the mean of what the beam went through while the shutter was open, which is nearer to where it swings about than
 * the middle of that time: at five frames a swing and half of a frame's exposure by 1.6 %, which would be taken for damping. The
 * outlines are those of the middle.
 *
 * ```ts
 * const { outlines } = beamOutlinesIn(film, camera, { length: 0.8, thickness: 0.05, width: 0.06, clamp: [0, 0.4, 0] });
 * ```
 * @throws for sizes that are not above 0, for a beam that the camera does not see, and for a camera of another film.
 */
export function beamOutlinesIn(
  film: Pick<Film, 'frames' | 'background' | 'count'>,
  camera: FilmCamera,
  options: BeamOutlineOptions,
): BeamOutlines {
  refuseUnknownOptions<BeamOutlineOptions>('beamOutlinesIn', options, {
    length: 0,
    thickness: 0,
    width: 0,
    clamp: 0,
    towards: 0,
  });
  for (const name of ['length', 'thickness', 'width'] as const)
    if (!(options[name] > 0 && Number.isFinite(options[name])))
      throw new Error(`beamOutlinesIn: ${name} is ${options[name]}; it must be above 0, in metres.`);
  refuseOtherFilm('beamOutlinesIn', film, camera, film.count);
  const beam = new BentBeam(camera, options);
  const straight = cutAround(beam.corners, MARGIN, camera);
  if (straight.width < 2 * STRIDE || straight.height < 2)
    throw new Error('beamOutlinesIn: the camera does not see the beam: are clamp and towards in its axes?');
  const layer = layerOf(picturesIn(film, 0, straight), beam);
  // It may bend to wherever there is a picture.
  const cut = { ...straight, top: 0, height: camera.height };
  const fitted = (frame: number, start: Exposed, rounds: readonly Round[], open = false): FittedBend =>
    fitBend(picturesIn(film, frame, cut), layer, beam, { start, rounds, open });
  const frames = [...Array(film.count).keys()];
  let bend = STRAIGHT;
  const rough = frames.map((frame) => {
    const still = { way: STRAIGHT, shutter: 0, soft: 0 };
    const own = fitted(frame, { bend, ...still }, FAR);
    if (own.strange < LOST) bend = own.bend;
    else {
      // It went further than it is thick: any bend may be it.
      const [nearest] = anyBend(options)
        .map((tried) => ({
          tried,
          strange: fitted(frame, { bend: tried, ...still }, [FAR[FAR.length - 1]]).strange,
        }))
        .sort((a, b) => a.strange - b.strange);
      const other = fitted(frame, { bend: nearest.tried, ...still }, FAR);
      bend = (other.strange < own.strange ? other : own).bend;
    }
    return bend;
  });
  // A frame shows means of where the beam was: with that, and with how far it goes in a frame, it is looked for once more.
  const tips = rough.map((own) => beam.tip(own));
  const { frameRate } = film.frames;
  const perFrame = mainFrequency(tips, frameRate) / frameRate;
  const decay = decayOf(tips, perFrame);
  const starts = swingsOfBends(rough, perFrame, decay);
  const ways = starts.map(({ way }) => Math.max(...columnWays(beam, cut, way).map(Math.abs)));
  const bySpeed = frames.slice(1).sort((a, b) => ways[b] - ways[a]);
  const fast = bySpeed.slice(0, MOST).filter((frame) => ways[frame] > FAST);
  const told = fast.map((frame) => fitted(frame, { ...starts[frame], shutter: SHUTTER, soft: 0 }, NEAR, true));
  const [shutter, soft] =
    fast.length > 0 ? [median(told.map((one) => one.shutter)), median(told.map((one) => one.soft))] : [0, 0];
  const found = frames.map((frame) => fitted(frame, { ...starts[frame], shutter, soft }, NEAR));
  const swings = swingsOfBends(
    found.map((one) => one.bend),
    perFrame,
    decay,
  );
  // Over an exposure a swing's mean is less than in the middle of it, by sin(x) / x; that of frame 0 began when it was half over.
  const x = Math.PI * perFrame * shutter;
  const [more, before] = x > 0 ? [x / Math.sin(x) - 1, (Math.sin(x) - x) / (2 * x)] : [0, 0];
  const bends = swings.map(({ bend: own, part }, frame) =>
    frame === 0 ? STRAIGHT : own.map((b, i) => b + more * part[i] + before * swings[0].part[i]),
  );
  const middles = bends.map((own) => beam.outline(own));
  const outlines = middles.map((middle, frame): SeenOutline => {
    const ways = [middles[frame - 1], middles[frame + 1]].map((beside) => (beside ? Math.abs(beside.y - middle.y) : 0));
    const doubt = Math.hypot(DOUBT, WAY_DOUBT * Math.max(...ways), TOGETHER * found[frame].scatter);
    return { ...middle, doubt };
  });
  const check = checkOf(found.map(({ strange }) => strange));
  return { outlines, tips: bends.map((own) => beam.tip(own)), shutter, check };
}

interface SwingingBend {
  readonly bend: readonly number[];
  /** In a frame's time. */
  readonly way: readonly number[];
  /** From where it swings about. */
  readonly part: readonly number[];
}

function swingsOfBends(bends: readonly (readonly number[])[], perFrame: number, decay: number): SwingingBend[] {
  const swings = STRAIGHT.map((_, i) =>
    swingsOf(
      bends.map((bend) => bend[i]),
      perFrame,
      decay,
    ),
  );
  return bends.map((bend, frame) => ({
    bend,
    way: swings.map((own) => own[frame].way),
    part: swings.map((own) => own[frame].part),
  }));
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Bends from one to the next of which the end goes half of the beam's thickness, to either side. */
function anyBend({ length, thickness }: BeamOutlineOptions): (readonly number[])[] {
  const most = Math.ceil((FARTHEST * length) / (thickness / 2));
  return Array.from({ length: 2 * most + 1 }, (_, k) =>
    STRAIGHT.map((_, i) => (i === 0 ? (k - most) * (thickness / 2) : 0)),
  );
}

/** Whether it is seen alone, by the part of its pixels that is not explained in each frame. */
function checkOf(strange: readonly number[]): Check {
  const usual = median(strange);
  const hidden = strange.flatMap((part, frame) => (part > usual + HIDDEN ? [frame] : []));
  const isTooMuch = hidden.length > MOST_HIDDEN * strange.length;
  return {
    field: outline,
    of: () =>
      isTooMuch
        ? {
            grave: true,
            note: `In ${hidden.length} of ${strange.length} frames, among ${hidden[0]} to ${hidden[hidden.length - 1]}, something else is seen where the beam is. Look at them by \`gradsim look\`, and leave them out by \`first\` and \`last\`.`,
          }
        : undefined,
  };
}

/** More of its pixels than usual that are not explained, and the part of the frames in which that may be. */
const HIDDEN = 0.06;
const MOST_HIDDEN = 0.1;

/** How a beam is seen in a frame: its bend in the mean of the exposure, how that changes in a frame's time, and the exposure. */
interface Exposed {
  readonly bend: readonly number[];
  readonly way: readonly number[];
  readonly shutter: number;
  /**
   * Square of the pixels over which frames are softer than the first, since an encoder saves on what moves; below 0 where they are
   * sharper than the first moved by parts of pixels.
   */
  readonly soft: number;
}

interface FittedBend {
  readonly bend: readonly number[];
  readonly shutter: number;
  readonly soft: number;
  /** By how much the middle's height would scatter if pixels erred alone, pixels. */
  readonly scatter: number;
  /** Of its pixels, the part that it does not explain. */
  readonly strange: number;
}

/** Pixels that columns of the straight beam go down with a bend. */
function columnWays(beam: BentBeam, cut: Cut, way: readonly number[]): number[] {
  const slopes = beam.slopes(STRAIGHT, cut);
  return Array.from({ length: cut.width }, (_, column) =>
    way.reduce((sum, own, i) => sum + own * slopes[i][1][column], 0),
  );
}

/** Steps of differences, and the least and the most that they may be. */
const STEPS = { shutter: 0.05, soft: 0.3 };
const BOUNDS = { shutter: [0, 1], soft: [-2, 16] } as const;
const BLURS = ['shutter', 'soft'] as const;

/** A beam that is compared with a frame. */
interface Comparison {
  readonly pictures: Pictures;
  readonly beam: BentBeam;
  readonly bend: readonly number[];
  /** Both sides together and the upper one, at the clamp and along it: by how much brighter than in frame 0. */
  readonly shades: readonly number[];
  /** As it is exposed, and with a little less and a little more of each blur that is looked for. */
  readonly exposed: Layer;
  readonly beside: readonly Layer[];
  /** Pixels above and below it that count, by column. */
  readonly reaches: readonly number[];
  readonly round: Round;
}

interface Equations {
  /** Of bend, shades and blurs. */
  readonly normal: readonly (readonly number[])[];
  readonly slope: readonly number[];
  readonly squares: number;
  readonly weights: number;
  readonly pixels: number;
}

/** The normal equations of what a frame is off by, with weights that fall off for what is not explained. */
function equationsOf({ pictures, beam, bend, shades, exposed, beside, reaches, round }: Comparison): Equations {
  const { seen, behind, cut } = pictures;
  const [step, forgiven] = round;
  const lines = beam.edges(bend, cut);
  const slopes = beam.slopes(bend, cut);
  // The layer's rows are those of the straight beam.
  const offset = cut.top - exposed.cut.top;
  const modes = bend.length;
  const count = modes + SHADES + beside.length / 2;
  const normal = Array.from({ length: count }, () => Array<number>(count).fill(0));
  const slope = Array<number>(count).fill(0);
  const by = new Float64Array(count);
  const off = new Float64Array(3);
  const [here, below, above] = [0, 0, 0].map(() => new Float64Array(4));
  const others = beside.map(() => new Float64Array(4));
  let [squares, weights, pixels] = [0, 0, 0];
  for (let column = 0; column < cut.width; column += STRIDE) {
    const [upper, border, lower] = lines.map((line) => line[column]);
    if (!upper || !border || !lower) continue;
    const parts = [upper.part, border.part, lower.part];
    if (Math.min(...parts) < FIRST || Math.max(...parts) > LAST) continue;
    const first = Math.max(0, Math.floor(upper.row - reaches[column]));
    const last = Math.min(cut.height - 1, Math.ceil(lower.row + reaches[column]));
    for (let row = first; row <= last; row++) {
      const p = row * cut.width + column;
      // Of the side that is seen there, from its upper edge, 0, to its lower, 1.
      const isUpper = row + 0.5 < border.row;
      const [over, under] = isUpper ? [upper, border] : [border, lower];
      const share = Math.min(Math.max((row + 0.5 - over.row) / Math.max(under.row - over.row, 0.1), 0), 1);
      const mixed = (a: number, b: number): number => a + share * (b - a);
      const [x, y] = [column - mixed(over.right, under.right), row + offset - mixed(over.down, under.down)];
      const part = mixed(over.part, under.part);
      const side = Number(isUpper);
      sampleLayer(exposed, x, y, here);
      sampleLayer(exposed, x, y - step, above);
      sampleLayer(exposed, x, y + step, below);
      beside.forEach((layer, k) => {
        sampleLayer(layer, x, y, others[k]);
      });
      const brighter = 1 + shades[0] + shades[1] * part + side * (shades[2] + shades[3] * part);
      let square = 0;
      for (let c = 0; c < 3; c++) {
        off[c] = seen[3 * p + c] - brighter * here[c] - (1 - here[3]) * behind[3 * p + c];
        square += off[c] * off[c];
      }
      const weight = 1 / (1 + square / forgiven ** 2) ** 2;
      squares += weight * square;
      weights += 3 * weight;
      pixels++;
      for (let c = 0; c < 3; c++) {
        const change = (from: Float64Array, to: Float64Array): number =>
          brighter * (to[c] - from[c]) - (to[3] - from[3]) * behind[3 * p + c];
        const moves = change(below, above) / (2 * step);
        for (let i = 0; i < modes; i++)
          by[i] = moves * mixed(slopes[i][isUpper ? 0 : 1][column], slopes[i][isUpper ? 1 : 2][column]);
        by[modes] = here[c];
        by[modes + 1] = here[c] * part;
        by[modes + 2] = here[c] * side;
        by[modes + 3] = here[c] * side * part;
        for (let k = 0; k < others.length / 2; k++)
          by[modes + SHADES + k] = change(others[2 * k], others[2 * k + 1]) / (2 * STEPS[BLURS[k]]);
        for (let i = 0; i < count; i++) {
          const along = weight * by[i];
          slope[i] += along * off[c];
          for (let j = 0; j <= i; j++) normal[i][j] += along * by[j];
        }
      }
    }
  }
  for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) normal[j][i] = normal[i][j];
  return { normal, slope, squares, weights, pixels };
}

/** The bend at which the beam looks most as it is seen, by Gauss and Newton; and the blur, where that is open. */
function fitBend(
  pictures: Pictures,
  layer: Layer,
  beam: BentBeam,
  { start, rounds, open }: { start: Exposed; rounds: readonly Round[]; open: boolean },
): FittedBend {
  let { bend } = start;
  let shades: readonly number[] = Array<number>(SHADES).fill(0);
  let [scatter, strange] = [0, 0];
  const blur = { shutter: start.shutter, soft: start.soft };
  const ways = columnWays(beam, layer.cut, start.way);
  const blurredBy = ({ shutter, soft }: typeof blur): Layer =>
    blurred(
      layer,
      ways.map((way) => Math.sqrt(Math.max((way * shutter) ** 2 + soft, 0))),
    );
  let exposed = blurredBy(blur);
  for (const round of rounds) {
    const beside = (open ? BLURS : []).flatMap((name) =>
      [-1, 1].map((side) => blurredBy({ ...blur, [name]: blur[name] + side * STEPS[name] })),
    );
    const reaches = ways.map((way) => BESIDE + (blur.shutter * Math.abs(way)) / 2);
    const compared = { pictures, beam, bend, shades, exposed, beside, reaches, round };
    const { normal, slope, squares, weights, pixels } = equationsOf(compared);
    const steps = solve(normal, slope);
    if (!steps) break;
    bend = bend.map((own, i) => own + steps[i]);
    shades = shades.map((shade, i) => shade + steps[bend.length + i]);
    if (open) {
      BLURS.forEach((name, k) => {
        const [least, most] = BOUNDS[name];
        blur[name] = Math.min(Math.max(blur[name] + steps[bend.length + SHADES + k], least), most);
      });
      exposed = blurredBy(blur);
    }
    const height = beam.outline(bend).y;
    const moves = steps.map((_, i) => {
      if (i >= bend.length) return 0;
      return (beam.outline(bend.map((own, k) => (k === i ? own + REACH : own))).y - height) / REACH;
    });
    const variance = solve(normal, moves)?.reduce((sum, v, i) => sum + v * moves[i], 0) ?? 0;
    strange = 1 - weights / Math.max(3 * pixels, 1);
    scatter = Math.sqrt((Math.max(variance, 0) * squares) / Math.max(weights, 1));
  }
  return { bend, ...blur, scatter, strange };
}

/** Of differences of heights, m. */
const REACH = 1e-3;
