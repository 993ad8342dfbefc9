import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { Pattern, PatternKind } from './direction.ts';
import type { Kept } from './probe.ts';

/** Most unknowns that are each asked for what goes with their outlines. */
const MOST_OUTLINES = 8;
/** Frames whose median is what stands still. */
const MOST_FOR_MEDIAN = 9;
/** A value moves where it is off what stands still by this share of the largest such change ... */
const SOME = 0.1;
/** ... and what moves in more than this share of the frames is no place of a picture but a state. */
const MOST_FRAMES = 0.55;

/** The values of a pattern, by frame and place among those that were kept. */
export interface Column extends Pick<Pattern, 'kind' | 'which'> {
  readonly of: (f: number, k: number) => number;
}

export function columnsOf(
  p: PreparedObservation,
  { columns, shown }: Pick<Kept, 'columns' | 'shown'>,
  {
    still,
    stride,
    n,
    largest,
  }: { readonly still: Float32Array } & Readonly<Record<'stride' | 'n' | 'largest', number>>,
): Column[] {
  const roots = (f: number, k: number): number => p.frames[f].rootWeights?.[k * stride] ?? 1;
  const isRotation = p.frames[0].orientations !== undefined;
  const components = p.values / p.elements;
  const componentOf = (k: number): number => Math.floor((k * stride) / p.elements);
  const found: Column[] = [
    { kind: 'delay', which: null, of: timeOf(p, shown, roots) },
    { kind: 'blur', which: null, of: bendOf(p, shown, roots) },
  ];
  if (isRotation) return found;
  const byComponent = (kind: PatternKind, of: Column['of']): Column[] =>
    Array.from({ length: components }, (_, which) => ({
      kind,
      which,
      of: (f, k) => (componentOf(k) === which ? of(f, k) : 0),
    }));
  if (!isPicture(shown, still, largest)) {
    found.push(...byComponent('offset', roots));
    return found;
  }
  found.push(
    { kind: 'gain', which: null, of: (f, k) => shown[f][k] },
    { kind: 'offset', which: null, of: roots },
    ...byComponent('colour', (f, k) => shown[f][k] - still[k]),
  );
  if (n <= MOST_OUTLINES)
    for (let i = 0; i < n; i++)
      found.push(
        { kind: 'outline', which: i, of: (f, k) => Math.abs(columns[f][i][k]) },
        { kind: 'texture', which: i, of: (f, k) => columns[f][i][k] * (shown[f][k] - still[k]) },
      );
  return found;
}

/** What is shown by frame: the difference between the frames before and after, as far as there are any and these count. */
function timeOf(
  p: PreparedObservation,
  shown: readonly Float32Array[],
  roots: (f: number, k: number) => number,
): Column['of'] {
  const last = shown.length - 1;
  return (f, k) => {
    const before = f > 0 && roots(f - 1, k) > 0 ? f - 1 : f;
    const after = f < last && roots(f + 1, k) > 0 ? f + 1 : f;
    if (before === after) return 0;
    return (shown[after][k] - shown[before][k]) / (p.frames[after].frame - p.frames[before].frame);
  };
}

/** What a shutter that stays open blurs: how far a frame is off the mean of its neighbours. */
function bendOf(
  p: PreparedObservation,
  shown: readonly Float32Array[],
  roots: (f: number, k: number) => number,
): Column['of'] {
  const last = shown.length - 1;
  return (f, k) => {
    if (f === 0 || f === last || roots(f - 1, k) === 0 || roots(f + 1, k) === 0) return 0;
    const [before, own, after] = [f - 1, f, f + 1].map((at) => p.frames[at].frame);
    const share = (own - before) / (after - before);
    return (1 - share) * shown[f - 1][k] + share * shown[f + 1][k] - shown[f][k];
  };
}

/** Picture of what stands still: by value the upper median over some of the frames. */
export function stillOf(shown: readonly Float32Array[]): Float32Array {
  const count = Math.min(MOST_FOR_MEDIAN, shown.length);
  const some = Array.from({ length: count }, (_, k) => shown[Math.round((k * (shown.length - 1)) / (count - 1))]);
  const still = new Float32Array(shown[0].length);
  const values = new Float64Array(count);
  for (let k = 0; k < still.length; k++) {
    for (let f = 0; f < count; f++) values[f] = some[f][k];
    still[k] = values.sort()[count >> 1];
  }
  return still;
}

/** Whether values are those of places, most of which stand still most of the time. */
function isPicture(shown: readonly Float32Array[], still: Float32Array, largest: number): boolean {
  let [moved, ever] = [0, 0];
  for (let k = 0; k < still.length; k++) {
    let own = 0;
    for (const values of shown) own += Number(Math.abs(values[k] - still[k]) > SOME * largest);
    moved += own;
    ever += Number(own > 0);
  }
  return ever > 0 && moved < MOST_FRAMES * ever * shown.length;
}
