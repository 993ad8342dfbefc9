import { mean, median } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Film, Motion, MotionFit } from '@gradsim/film';
import type { Check, Posterior, Stage } from '@gradsim/optim';
import type { Track } from '@gradsim/video';

/**
 * Look of what moves for which a kind is the one that is named: `any`, or else something `long`, something that `bends`, or what
 * runs `level`; `other` where another kind is named.
 */
export type Looks = 'any' | 'long' | 'bends' | 'level' | 'other';

/** Motions that films of a kind show, and of what. */
export type ShownMotions = Readonly<Partial<Record<Motion, Looks>>>;

/** Parts of a kind by which its films are told from those of others. */
interface MovingKind {
  readonly name: string;
  readonly motions?: ShownMotions;
  readonly isShown?: (film: Film) => Promise<boolean>;
}

/** Ratio of distances from the track above which another sort of motion is the nearer one; and the least of it, px. Judged. */
const [CLEARLY, LEAST] = [3, 0.4] as const;

/** Another kind that a film shows, as a sentence. */
interface NearerKind {
  /** Distance of its motion from the largest track, px; infinite where it is told by what moves, not by how. */
  readonly distance: number;
  readonly sentence: string;
  /** True if the motion of this kind itself is much farther from the track, or is not there at all. */
  readonly isClear: boolean;
  /** True if it is named where the film is distrusted for any reason. */
  readonly isNamed: boolean;
}

/**
 * Stages of a kind with a check that no other kind of this package fits their film better, unless its films are told by more than
 * the track of one thing.
 *
 * @param log called with the kind that clearly fits better.
 * @param estimate makes the stages, and tells the film that it reads.
 * @throws as `estimate` does; where it finds no motion of its kind, with the kind that fits.
 */
export async function comparedWithKinds(
  ownKind: MovingKind,
  log: (line: string) => void,
  estimate: (onFilm: (film: Film) => void) => Promise<readonly Stage[]>,
): Promise<readonly Stage[]> {
  let film: Film | undefined;
  const nearer = async (): Promise<NearerKind | null> => (film ? nearerKind(ownKind, film) : null);
  const onFilm = (read: Film): void => {
    film = read;
  };
  const made = await estimate(onFilm).catch(async (error: unknown) => {
    throw namingKind(error, await nearer());
  });
  if (ownKind.isShown) return made;
  const other = await nearer();
  if (other?.isClear) log(other.sentence);
  return other ? made.map((stage) => withCheck(stage, otherKindCheck(film!, other))) : made;
}

/** Distance from the motions of every kind beyond which a track shows none of them, px. Judged. */
export const NONE_BEYOND = 3;
/** The same as a part of the scatter of a track's places, if that is more: no circle is round and no air still. Judged. */
const NONE_BEYOND_PART = 0.08;
/** Slope of a way, degrees, below which it is level. Judged. */
const MAX_LEVEL_SLOPE = 4;
/** Ratio of the widths of a thing below which it is long: motion blurs a ball to 0.9. Judged. */
const MAX_LONG_RATIO = 0.75;
/** The same, below which what hangs is compared by its centre line: its mask's middle moves as its lower end fades. Judged. */
const MAX_LINE_RATIO = 0.2;
/** Ratio of a mask's area to the median of so many frames before and after above which something else is part of it. Judged. */
const [MAX_AREA_RATIO, NEIGHBOURS] = [1.15, 10] as const;
/** Further kinds of the same motion, by their looks, and what tells them, which a track does not. */
const FURTHER = { bends: 'it bends', level: 'it runs on wheels or on air' } as const;

/**
 * Name of the kind that a film shows, of any scale.
 * @param kinds kinds of which one is named.
 * @returns undefined where it is near to none.
 */
export async function kindShown(film: Film, kinds: Iterable<MovingKind>): Promise<string | undefined> {
  const [track] = film.tracks;
  if (!track) return undefined;
  for (const { name, isShown } of kinds) if (await isShown?.(film)) return name;
  const {
    all: [best],
    roundness,
  } = await motionsOf(film);
  return best && isNear(best, track) ? kindOf(track, roundness, best.motion, kinds) : undefined;
}

function isNear({ rmsDistance }: MotionFit, { points }: Track): boolean {
  const scatterOf = (values: readonly number[]): number => {
    const middle = mean(values);
    return mean(values.map((value) => (value - middle) ** 2));
  };
  const scatter = Math.sqrt(scatterOf(points.map(({ x }) => x)) + scatterOf(points.map(({ y }) => y)));
  return rmsDistance <= Math.max(NONE_BEYOND, NONE_BEYOND_PART * scatter);
}

/** Name of the kind of a motion of what looks so; undefined if there is none. */
const kindNameOf = (kinds: Iterable<MovingKind>, motion: Motion, looks: Looks): string | undefined =>
  [...kinds].find(({ motions }) => motions?.[motion] === looks)?.name;

/** Kind of a motion, by the shape of what moves, and by the slope of its way; undefined if there is none. */
function kindOf({ points }: Track, roundness: number, motion: Motion, kinds: Iterable<MovingKind>): string | undefined {
  const [first, last] = [points[0], points[points.length - 1]];
  const slope = (Math.atan2(Math.abs(last.y - first.y), Math.abs(last.x - first.x)) * 180) / Math.PI;
  const level = slope < MAX_LEVEL_SLOPE ? kindNameOf(kinds, motion, 'level') : undefined;
  const isLong = roundness < MAX_LONG_RATIO;
  return level ?? (isLong ? kindNameOf(kinds, motion, 'long') : undefined) ?? kindNameOf(kinds, motion, 'any');
}

/** True of a line that hangs. */
const isHanging = ({ points }: Track, roundness: number): boolean =>
  roundness < MAX_LINE_RATIO && median(points.flatMap(({ blob }) => (blob ? [blob.yy - blob.xx] : []))) > 0;

/** Level, and as wide as most: shapes of motions depend little on it. */
export const ANY_CAMERA = { fieldOfView: null, eye: null, target: null };

/** Motions that the largest track of a film shows, nearest first, and how round what moves looks. */
async function motionsOf(film: Film): Promise<{ readonly all: MotionFit[]; readonly roundness: number }> {
  const { centreLinesOf, measuredCamera, motionsIn, roundnessOf } = await import('@gradsim/film');
  const { view } = await measuredCamera(film, ANY_CAMERA);
  const [track] = film.tracks;
  const roundness = roundnessOf(track.points);
  const usual = isHanging(track, roundness) ? centreLinesOf(film, track).middles : withoutOddPoints(track);
  return { all: motionsIn(usual, view, track), roundness };
}

/** Track without frames in which something else is part of the mask, such as a thread or a shadow, by their area. */
function withoutOddPoints(track: Track): Track {
  const { points } = track;
  const usualAt = (k: number): number =>
    median(points.slice(Math.max(0, k - NEIGHBOURS), k + NEIGHBOURS + 1).map(({ area = 0 }) => area));
  return { ...track, points: points.filter(({ area = 0 }, k) => area <= MAX_AREA_RATIO * usualAt(k)) };
}

/**
 * Kind that the film shows rather than this one: by several things that move, by the motion of the largest track, or, where that
 * is of this kind, by its looks; null where none is.
 */
async function nearerKind(own: MovingKind, film: Film): Promise<NearerKind | null> {
  const { KINDS: kinds } = await import('@gradsim/kinds');
  const [track] = film.tracks;
  if (!track) return null;
  for (const { name, isShown } of kinds)
    if (name !== own.name && (await isShown?.(film)))
      return {
        distance: Number.POSITIVE_INFINITY,
        sentence: `Several things move, as it seems: that is the kind ${name}, by gradsim new ${name}.`,
        isClear: true,
        isNamed: true,
      };
  const { all, roundness } = await motionsOf(film);
  const [best] = all;
  if (!best || !isNear(best, track)) return null;
  const kind = kindOf(track, roundness, best.motion, kinds);
  const isLong = kind !== undefined && kind === kindNameOf(kinds, best.motion, 'long');
  const further = (['bends', 'level'] as const).flatMap((looks) => {
    const name = looks === 'level' || isLong ? kindNameOf(kinds, best.motion, looks) : undefined;
    return name === undefined || name === kind ? [] : [{ name, tells: FURTHER[looks] }];
  });
  const others = further.map(({ name, tells }) => `; if ${tells}, by gradsim new ${name}`).join('');
  const that = kind ? `: that is the kind ${kind}, by gradsim new ${kind}${others}` : '';
  const sentence = `What moves ${best.motion}, as it seems, to ${best.rmsDistance.toFixed(1)} px${that}.`;
  const isOwn = ({ motion }: MotionFit): boolean => own.motions?.[motion] !== undefined;
  const distance = Number.POSITIVE_INFINITY;
  if (isOwn(best)) {
    const looks = own.motions?.[best.motion];
    if (!kind || kind === own.name) {
      const alike = [...kinds].filter(({ name, motions }) => name !== own.name && motions?.[best.motion] !== undefined);
      const calls = alike.map(({ name }) => `${name}, by gradsim new ${name}`).join(', or ');
      const likeOthers = `What moves ${best.motion}, as it seems, to ${best.rmsDistance.toFixed(1)} px; of that are the kinds ${calls}, too.`;
      return alike.length > 0 ? { distance, sentence: likeOthers, isClear: false, isNamed: false } : null;
    }
    // What tells further kinds is not seen. Else a box may look round, but nothing round looks long.
    const isFurther = further.some(({ name }) => name === own.name);
    const isClear = !isFurther && isLong && looks === 'any';
    return { distance, sentence, isClear, isNamed: isClear || looks !== 'any' };
  }
  const ownOff = all.find(isOwn)?.rmsDistance ?? distance;
  const isClear = own.motions !== undefined && ownOff > Math.max(LEAST, CLEARLY * best.rmsDistance);
  // Bad masks of what is round look like a thing that tumbles, which is named where the film is not trusted.
  if (best.motion === 'tumbles') return { distance, sentence, isClear: false, isNamed: true };
  return { distance: best.rmsDistance, sentence, isClear, isNamed: isClear };
}

/** The error of a kind that finds no motion of its own in a film, with the kind that fits. */
function namingKind(error: unknown, nearer: NearerKind | null): unknown {
  if (!(error instanceof GradsimError && nearer)) return error;
  const { code, message, field, cause } = error;
  if (!(code.startsWith('film/') || code === 'kinds/not-seen')) return error;
  return new GradsimError(code, message, { ...(field === undefined ? {} : { field }), hint: nearer.sentence, cause });
}

/**
 * Check that no other kind fits a film much better: compares how far the middle of the model's outline is off the track, but for
 * a constant shift, with the nearest motion of another sort.
 */
function otherKindCheck({ tracks: [track] }: Film, nearer: NearerKind): Check<Posterior> {
  return {
    kind: 'other kind',
    // Before all that this is the reason of, as much as noise and departures.
    rank: 55,
    isCritical: true,
    fields: [OUTLINE_FIELD],
    hint: nearer.sentence,
    find: ({ predicted }, before) => {
      const middles = predicted[OUTLINE_FIELD];
      const seen = withoutOddPoints(track).points.filter(({ frame }) => 3 * frame + 2 < middles.length);
      const offBy = (c: 0 | 1): number => {
        const all = seen.map(({ frame, x, y }) => middles[3 * frame + c] - (c === 0 ? x : y));
        const mean = all.reduce((sum, d) => sum + d / all.length, 0);
        return all.reduce((sum, d) => sum + (d - mean) ** 2 / all.length, 0);
      };
      const [across, down] = [offBy(0), offBy(1)];
      // Of kinds that compare heights alone.
      const off = Math.sqrt(down + (across > 100 * down ? 0 : across));
      // Where it is distrusted for anything, or for the shape of what moves, so it is for this reason.
      const isDistrusted = before.some(
        ({ kind, isCritical }) => isCritical && (nearer.isNamed || kind === 'other shape'),
      );
      if (!(off > Math.max(LEAST, CLEARLY * nearer.distance)) && !isDistrusted) return null;
      return { note: `${nearer.sentence} This model is ${off.toFixed(1)} px off.` };
    },
  };
}

/** Key of the model's outline, by name, so that the film package is not loaded for it. */
const OUTLINE_FIELD = 'world.outlineCentroidAndSize';

/** A stage with a further check. */
const withCheck = (stage: Stage, check: Check<Posterior>): Stage => ({
  ...stage,
  problem: {
    ...stage.problem,
    options: { ...stage.problem.options, checks: [...(stage.problem.options?.checks ?? []), check] },
  },
});
