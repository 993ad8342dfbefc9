import { refuseUnknownOptions } from '@gradsim/core';
import type { Check } from '@gradsim/optim';
import type { FilmCamera } from '../../camera.ts';
import type { Film } from '../../film.ts';
import { outline } from '../../outlines/fields.ts';
import { DIRECTIONS } from '../../outlines/reach.ts';
import { OFF_SHAPE, RIM_DOUBT, type SeenOutline, SHAPE_DOUBT } from '../../outlines/targets.ts';
import { cutAround, picturesIn, refuseOtherFilm } from '../cut.ts';
import { type FittedThing, fitThing, type Round } from '../picture-fit.ts';
import { type BallState, ballSeen, ellipseOf } from './picture.ts';

/** What is known of a ball in a film. */
export interface BallOutlineOptions {
  /** About where it is, frame by frame, some pixels off at most: its masks, by `outlinesIn`. Frames without are left out. */
  readonly near: readonly (SeenOutline | null | undefined)[];
  /** The part of a frame's time that the shutter was open. Default: what the fastest frames tell. */
  readonly shutter?: number;
}

/** The outlines that were found. */
export interface BallOutlines {
  /** By frame; none where a ball does not explain what is seen. */
  readonly outlines: readonly (SeenOutline | undefined)[];
  /** The part of a frame's time that the shutter was open; 0 where nothing is fast enough to tell. */
  readonly shutter: number;
  /** For the problem that compares them: grave where a ball explains too few of the frames in which it was expected, or masks are not round. */
  readonly check: Check;
}

/** Pixels around the ball that are compared as well. */
const MARGIN = 8;
/** The shutter is looked for from here on, as part of a frame. */
const SHUTTER = 0.35;
/** What moves by so many pixels from frame to frame tells it, and so many of the fastest frames do. */
const FAST = 8;
const MOST_FAST = 7;
/** Steps of the differences, and how far the start may be off: pixels twice, parts of the size, parts of the exposure. */
const STEP = [0.05, 0.05, 0.002, 0.03];
const START_DOUBT = [4, 4, 0.1, 1];
const ROUNDS: readonly Round[] = [
  [4, 0.3],
  [2, 0.2],
  [1, 0.1],
  [1, 0.06],
  [1, 0.05],
  [1, 0.05],
];
/** A ball that is found so far from where it was expected, pixels, or that leaves so much of itself unexplained, is not found. */
const FAR = 8;
const STRANGE = 0.6;
/** Nor is one of which such a part looks like what is behind. */
const PLAIN = 0.5;
/** A mask is too large that is larger by this part than is usual in so many frames before and after. */
const TOO_LARGE = 0.06;
const AROUND = 5;
/** So many frames without a ball, of those in which it was expected, are too many: in films of a ball alone there are none. */
const MOST_LOST = 0.1;
/** What an outline is off by in one frame, for each pixel that it is blurred over, and for each that its way turns in a frame. */
const DOUBT = 0.06;
const BLUR_DOUBT = 0.015;
const TURN_DOUBT = 0.05;
/** And by so many times what the scatter of pixels says: an encoder's err together, and light is not quite what powers tell. */
const TOGETHER = 7;
/** A way turns where it changes from frame to frame by so many pixels, and by this part of itself. */
const TURN = 4;
const TURN_PART = 0.25;

/**
 * The outlines of a ball, from all pixels around it: in each frame the place and the size at which its exposure, lit in any smooth
 * way and blurred by its motion while the shutter was open, comes nearest to what is seen before the film's background. Masks are
 * pulled to one side by blur, dark sides and colours like those behind, by up to a tenth of the way that the ball goes in a frame.
 *
 * Before and after a bounce a ball goes different ways; the one that explains more is taken, and its outline counts as known less well.
 *
 * ```ts
 * const { outlines, check } = ballOutlinesIn(film, camera, { near: outlinesIn(film) });
 * ```
 * @throws for a shutter that is not from 0 to 1, and for a camera or frames of another film.
 */
export function ballOutlinesIn(
  film: Pick<Film, 'frames' | 'background'>,
  camera: FilmCamera,
  options: BallOutlineOptions,
): BallOutlines {
  refuseUnknownOptions<BallOutlineOptions>('ballOutlinesIn', options, { near: 0, shutter: 0 });
  const { near, shutter: known } = options;
  if (known !== undefined && !(known >= 0 && known <= 1))
    throw new Error(`ballOutlinesIn: shutter is ${known}; give the part of a frame that it was open, 0 to 1.`);
  refuseOtherFilm('ballOutlinesIn', film, camera, near.length);
  const ways = near.map((_, frame) => waysAt(near, frame));
  const fit = (frame: number, way: Way, shutter: number, opens = false): Fitted =>
    fitBall(film, camera, { frame, expected: near[frame]!, way, shutter, opens });
  const open = (known === undefined ? ways : [])
    .flatMap((own, frame) => (own.length === 1 ? [{ frame, way: own[0], far: Math.hypot(...own[0]) }] : []))
    .filter(({ far }) => far > FAST)
    .sort((a, b) => b.far - a.far)
    .slice(0, MOST_FAST)
    .map(({ frame, way }) => fit(frame, way, SHUTTER, true))
    .filter(({ strange }) => strange < STRANGE)
    .map(({ shutter }) => shutter)
    .sort((a, b) => a - b);
  const shutter = known ?? Math.min(Math.max(open[open.length >> 1] ?? 0, 0), 1);
  const outlines = near.map((expected, frame): SeenOutline | undefined => {
    const [way, other = way] = ways[frame];
    if (!expected || !way) return undefined;
    const found = ways[frame]
      .map((each) => fit(frame, each, shutter))
      .reduce((best, each) => (each.strange < best.strange ? each : best));
    const { x, y, size } = found.state;
    if (!(found.strange < STRANGE && found.plain < PLAIN && found.moved < FAR)) return undefined;
    const blur = BLUR_DOUBT * Math.hypot(...found.state.blur);
    const turn = TURN_DOUBT * Math.hypot(other[0] - way[0], other[1] - way[1]);
    const scatter = TOGETHER * Math.hypot(found.deviations[0], found.deviations[1]);
    const doubt = Math.hypot(DOUBT, scatter, blur, turn, excessOf(near, frame));
    return { x, y, size, reaches: reachesOfBall(found.state, camera), doubt };
  });
  return { outlines, shutter, check: checkOf(near, outlines) };
}

/** By how much a mask is larger than those before and after: as far as something else is in it, such as the ball's shadow. */
function excessOf(near: BallOutlineOptions['near'], frame: number): number {
  const sizes = near
    .slice(Math.max(0, frame - AROUND), frame + AROUND + 1)
    .flatMap((seen) => (seen ? [seen.size] : []))
    .sort((a, b) => a - b);
  const usual = sizes[sizes.length >> 1];
  const excess = near[frame]!.size - usual;
  return excess > TOO_LARGE * usual ? excess : 0;
}

/** Whether it is a ball alone that moves. */
function checkOf(near: BallOutlineOptions['near'], outlines: BallOutlines['outlines']): Check {
  const expected = near.flatMap((seen, frame) => (seen ? [frame] : []));
  const lost = expected.filter((frame) => !outlines[frame]);
  const notRound = offRound(near, outlines);
  const note = (): string | undefined => {
    if (lost.length > MOST_LOST * expected.length) {
      const [first, last] = [lost[0], lost[lost.length - 1]];
      return `In ${lost.length} of ${expected.length} frames in which something moves, among frames ${first} to ${last}, it is not a ball alone: another thing passes, or its mask is wrong. Look at them by \`gradsim look\`, and leave them out by \`first\` and \`last\` or a region.`;
    }
    if (notRound !== undefined)
      return `What moves is not round: half of the rim of its masks, where it is slow, is off that of a ball by more than ${notRound.toFixed(2)} pixels. It is something else, or its mask is wrong: look at both in the report.`;
    return undefined;
  };
  return {
    field: outline,
    of: () => {
      const said = note();
      return said === undefined ? undefined : { grave: true, note: said };
    },
  };
}

/**
 * How far masks are usually off the ball's outline in the slower half of frames, since blur makes masks long; nothing where no more
 * than rims are. Another size and another middle are no other shape.
 */
function offRound(near: BallOutlineOptions['near'], outlines: BallOutlines['outlines']): number | undefined {
  const told = near.flatMap((seen, frame) => {
    const found = outlines[frame];
    return seen?.reaches && found?.reaches
      ? [{ found, off: seen.reaches.map((reach, k) => reach - found.reaches![k]) }]
      : [];
  });
  // What is slow is doubted less.
  const slow = told.sort((a, b) => a.found.doubt! - b.found.doubt!).slice(0, Math.ceil(told.length / 2));
  const off = slow.flatMap(({ found, off }) => {
    const share = (part: (direction: readonly [number, number]) => number, norm: number): number =>
      DIRECTIONS.reduce((sum, direction, k) => sum + (part(direction) * off[k]) / norm, 0);
    const [more, right, down] = [
      share(() => 1, DIRECTIONS.length),
      share(([u]) => u, DIRECTIONS.length / 2),
      share(([, v]) => v, DIRECTIONS.length / 2),
    ];
    const rim = Math.hypot(RIM_DOUBT, SHAPE_DOUBT * found.size);
    return off.map((o, k) => Math.abs(o - more - right * DIRECTIONS[k][0] - down * DIRECTIONS[k][1]) / rim);
  });
  const usual = off.sort((a, b) => a - b)[off.length >> 1] ?? 0;
  if (usual <= OFF_SHAPE) return undefined;
  return usual * Math.hypot(RIM_DOUBT, SHAPE_DOUBT * slow[slow.length >> 1].found.size);
}

/** How far it goes in a frame, pixels. */
type Way = readonly [right: number, down: number];

interface Fitted extends Omit<FittedThing, 'values'> {
  readonly state: BallState;
  readonly shutter: number;
  /** From where it was expected, pixels. */
  readonly moved: number;
}

function fitBall(
  film: Pick<Film, 'frames' | 'background'>,
  camera: FilmCamera,
  start: {
    readonly frame: number;
    readonly expected: SeenOutline;
    readonly way: Way;
    readonly shutter: number;
    /** Whether the shutter is looked for as well. */
    readonly opens: boolean;
  },
): Fitted {
  const { frame, expected, way, opens } = start;
  const { x, y, size } = expected;
  const at = ([right, down, larger, longer = 0]: readonly number[]): Pick<Fitted, 'state' | 'shutter'> => {
    const shutter = start.shutter * (1 + longer);
    const blur = [shutter * way[0], shutter * way[1]] as const;
    return { state: { x: x + right, y: y + down, size: size * (1 + larger), blur }, shutter };
  };
  const { along } = ellipseOf(expected, camera);
  const [wide, high] = way.map((far) => along + Math.abs(far) / 2);
  const corners = [
    [x - wide, y - high],
    [x + wide, y + high],
  ];
  const pictures = picturesIn(film, frame, cutAround(corners, MARGIN, camera));
  const count = opens ? 4 : 3;
  const { values, ...explained } = fitThing(
    pictures,
    {
      steps: STEP.slice(0, count),
      doubts: START_DOUBT.slice(0, count),
      partsAt: (tried, soft) => ballSeen(at(tried).state, camera, pictures.cut, soft),
    },
    ROUNDS,
  );
  return { ...at(values), ...explained, moved: Math.hypot(values[0], values[1]) };
}

function reachesOfBall(state: BallState, camera: FilmCamera): number[] {
  const { along, across, direction } = ellipseOf(state, camera);
  const [u, v] = direction;
  return DIRECTIONS.map(([a, b]) => 1 / Math.hypot((a * u + b * v) / along, (b * u - a * v) / across));
}

/** How it goes at a frame: in two ways, before and after, where it turns. */
function waysAt(near: BallOutlineOptions['near'], frame: number): Way[] {
  const [from, here, to] = [near[frame - 1], near[frame], near[frame + 1]];
  const before = from && here ? ([here.x - from.x, here.y - from.y] as const) : undefined;
  const after = to && here ? ([to.x - here.x, to.y - here.y] as const) : undefined;
  if (!before || !after) return here ? [before ?? after ?? [0, 0]] : [];
  const turned = Math.hypot(after[0] - before[0], after[1] - before[1]);
  const far = Math.max(Math.hypot(...before), Math.hypot(...after));
  if (turned > TURN + TURN_PART * far) return [before, after];
  return [[(before[0] + after[0]) / 2, (before[1] + after[1]) / 2]];
}
