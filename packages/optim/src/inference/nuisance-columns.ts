import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { Pattern, PatternKind } from './direction.ts';
import type { Kept } from './probe.ts';

/** Maximum number of unknowns with an outline pattern each. */
const MAX_OUTLINES = 8;
/** Maximum number of frames whose median gives the static background. */
const MAX_MEDIAN_FRAMES = 9;
/** Share of the largest change from the background above which a value moves. */
const SOME = 0.1;
/** Share of frames above which a moving value is a state, not a pixel. */
const MAX_MOVING_SHARE = 0.55;

/** Values of a pattern, by frame and position among the kept ones. */
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
  if (n <= MAX_OUTLINES)
    for (let i = 0; i < n; i++)
      found.push(
        { kind: 'outline', which: i, of: (f, k) => Math.abs(columns[f][i][k]) },
        { kind: 'texture', which: i, of: (f, k) => columns[f][i][k] * (shown[f][k] - still[k]) },
      );
  return found;
}

/**
 * Time derivative of the output by frame: the difference between the next and the previous frame, where these exist and
 * count.
 */
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

/** Blur pattern of an open shutter: deviation of a frame from the mean of its neighbours. */
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

/** Static background: upper median of each value over some of the frames. */
export function stillOf(shown: readonly Float32Array[]): Float32Array {
  const count = Math.min(MAX_MEDIAN_FRAMES, shown.length);
  const some = Array.from({ length: count }, (_, k) => shown[Math.round((k * (shown.length - 1)) / (count - 1))]);
  const still = new Float32Array(shown[0].length);
  const values = new Float64Array(count);
  for (let k = 0; k < still.length; k++) {
    for (let f = 0; f < count; f++) values[f] = some[f][k];
    still[k] = values.sort()[count >> 1];
  }
  return still;
}

/** True if values are those of pixels, most of which are static most of the time. */
function isPicture(shown: readonly Float32Array[], still: Float32Array, largest: number): boolean {
  let [moved, ever] = [0, 0];
  for (let k = 0; k < still.length; k++) {
    let own = 0;
    for (const values of shown) own += Number(Math.abs(values[k] - still[k]) > SOME * largest);
    moved += own;
    ever += Number(own > 0);
  }
  return ever > 0 && moved < MAX_MOVING_SHARE * ever * shown.length;
}
