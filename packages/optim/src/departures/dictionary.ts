import type { DepartureCandidate, DepartureKind } from '../posterior/departures.ts';
import type { PatternSums } from './pattern-sums.ts';
import type { Pattern, ResidualDirection } from './patterns.ts';

/** Directions that are tested, beginning with those of the unknowns, and the candidates that consist of them. */
export interface Dictionary {
  readonly directions: readonly ResidualDirection[];
  readonly candidates: readonly DepartureCandidate[];
}

/** Maximum number of frames at which a sudden change is tested. */
const MAX_JUMP_FRAMES = 16;
/** Minimum number of frames per cosine wave that describes a slow change over the film. */
const FRAMES_A_WAVE = 4;
/** Maximum number of cosine waves that describe a slow change over the film. */
const MAX_WAVES = 4;
/** Maximum number of directions in one candidate. */
const MAX_CANDIDATE_DIRECTIONS = 24;

/**
 * Lists the candidate departures of a film from a model: columns of sums times functions of time. These cover errors
 * without a name, too: a missing force moves objects much as a change of some unknowns does, by another amount in each
 * part of the film.
 */
export function dictionaryOf({ unknowns: n, patterns, isStill, frames, moments, products }: PatternSums): Dictionary {
  const count = frames.length;
  const directions: ResidualDirection[] = Array.from({ length: n }, (_, column) => ({
    column,
    times: new Float64Array(count).fill(1),
  }));
  const candidates: DepartureCandidate[] = [];
  const direction = (column: number, at: (f: number) => number): number =>
    directions.push({ column, times: Float64Array.from({ length: count }, (_, f) => at(f)) }) - 1;
  const candidate = (
    kind: DepartureKind,
    about: Pick<DepartureCandidate, 'observation' | 'subjectIndex'>,
    own: readonly number[],
  ): void => {
    candidates.push({ kind, ...about, directions: own });
  };
  const waves = isStill ? 0 : Math.min(MAX_WAVES, Math.floor(count / FRAMES_A_WAVE));
  const wave =
    (k: number) =>
    (f: number): number =>
      Math.cos((Math.PI * k * (f + 0.5)) / count);
  const wavesOf = (column: number, most: number): number[] =>
    Array.from({ length: Math.min(most, waves) }, (_, k) => direction(column, wave(k + 1)));

  const motions = Array.from({ length: n }, (_, i) => {
    if (isStill) return [];
    const isSecond = secondHalf(products.map((product) => product[i * (n + patterns.length + 1)]));
    candidate('halves', { observation: null, subjectIndex: i }, [direction(i, (f) => Number(isSecond[f]))]);
    return wavesOf(i, MAX_WAVES);
  });
  motions.forEach((own, subjectIndex) => {
    if (n > 1 && own.length > 1) candidate('motion', { observation: null, subjectIndex }, own);
  });
  const together = motions.flatMap((own) => own.slice(0, Math.max(1, Math.floor(MAX_CANDIDATE_DIRECTIONS / n))));
  if (together.length > 1 && together.length <= MAX_CANDIDATE_DIRECTIONS)
    candidate('motion', { observation: null, subjectIndex: n > 1 ? null : 0 }, together);

  patterns.forEach(({ kind, observation, subjectIndex }: Pattern, p) => {
    const column = n + p;
    const about = { observation, subjectIndex };
    const steady = direction(column, () => 1);
    if (kind === 'across' || kind === 'wide') return;
    if (kind === 'soft') {
      // The pattern before it is wide.
      candidate('edges', about, [steady - 1, steady]);
      return;
    }
    if (kind === 'down') {
      // The pattern before it is across.
      candidate('place', about, [steady - 1, steady]);
      if (waves > 0) candidate('place', about, [steady - 1, steady, ...wavesOf(column - 1, 2), ...wavesOf(column, 2)]);
      return;
    }
    candidate(kind, about, [steady]);
    if (kind === 'delay') {
      if (waves > 0) candidate('timing', about, [steady, ...wavesOf(column, MAX_WAVES)]);
      for (const from of jumpsOf(count))
        candidate('jump', { observation, subjectIndex: frames[from] }, [direction(column, (f) => Number(f >= from))]);
    } else if (kind === 'clock') {
      // A lag that grows with the square of time.
      candidate('drag', about, [direction(column, (f) => moments[f] / moments[count - 1])]);
    } else if (kind === 'gain' || kind === 'offset' || kind === 'colour') {
      if (waves > 0) candidate(kind, about, [steady, ...wavesOf(column, 2)]);
    }
  });
  const singles = (...kinds: readonly DepartureKind[]): number[] =>
    candidates
      .filter(({ kind, directions: own }) => kinds.includes(kind) && own.length === 1)
      .flatMap((one) => one.directions);
  const allOf = (kind: DepartureKind, own: readonly number[]): void => {
    if (own.length > 1 && own.length <= MAX_CANDIDATE_DIRECTIONS)
      candidate(kind, { observation: null, subjectIndex: null }, own);
  };
  for (const kind of ['outline', 'texture', 'colour'] as const) allOf(kind, singles(kind));
  allOf('parts', singles('right half', 'lower half'));
  return { directions, candidates };
}

/** Flags of the frames in the second half, split so that each half has half of the information about an unknown. */
function secondHalf(information: readonly number[]): boolean[] {
  const whole = information.reduce((sum, t) => sum + t, 0);
  let sum = 0;
  return information.map((t) => {
    sum += t;
    return sum > whole / 2;
  });
}

/**
 * Numbers of the frames at which a sudden change is tested: evenly spaced over all but the first, including the last.
 */
function jumpsOf(frames: number): number[] {
  const count = Math.min(MAX_JUMP_FRAMES, frames - 1);
  return Array.from({ length: count }, (_, k) =>
    count > 1 ? 1 + Math.round((k * (frames - 2)) / (count - 1)) : frames - 1,
  );
}
