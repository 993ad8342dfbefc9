/**
 * Schedule of the states that a gradient keeps of a run of N substeps, for the backward pass: all states of one segment
 * of substeps, and checkpoints at the starts of segments. If memory holds a checkpoint for every segment, each segment
 * is rerun once in the backward pass. Otherwise checkpoints are placed, freed and placed again as in binomial
 * checkpointing, which needs the fewest reruns for their number.
 *
 * Source: A. Griewank, A. Walther, Algorithm 799: Revolve, 2000.
 */
export interface History {
  /** Number of substeps of a segment; N if all states are kept. */
  readonly segment: number;
  readonly checkpoints: number;
}

/**
 * Returns beta(s, r) = (s + r)! / (s! r!): the number of steps that s checkpoints can reverse with no step run more
 * than r times.
 */
function reversibleSteps(s: number, r: number): number {
  if (r < 0) return 0;
  // As many factors as the smaller of the two: with few checkpoints, r reaches thousands.
  const [few, many] = s < r ? [s, r] : [r, s];
  let value = 1;
  for (let k = 1; k <= few; k++) value = (value * (many + k)) / k;
  return Math.round(value);
}

/** Returns the least r for which beta(s, r) >= `span`, with s at least 1. */
function leastRuns(s: number, span: number): number {
  let r = s === 1 ? Math.max(0, span - 1) : 0;
  while (reversibleSteps(s, r) < span) r++;
  return r;
}

/**
 * Returns the least number of segments to run in order to reverse `span` of them from a kept state, with `free` further
 * checkpoints: r l - beta(s + 1, r - 1), with l = span, s = free + 1, and the least r for which beta(s, r) >= l. The
 * final run of each segment, which keeps its states, is not counted.
 */
function segmentsToRun(span: number, free: number): number {
  const r = leastRuns(free + 1, span);
  return r * span - reversibleSteps(free + 2, r - 1);
}

/**
 * Returns the number of segments to run from a kept state to the next checkpoint or, if none is free, to the last
 * segment.
 */
export function nextCheckpoint(span: number, freeCheckpoints: number): number {
  if (freeCheckpoints === 0 || span <= 2) return span - 1;
  if (freeCheckpoints >= span - 1) return 1;
  let best = { segments: 1, cost: Number.POSITIVE_INFINITY };
  for (let segments = 1; segments < span; segments++) {
    const cost =
      segments + segmentsToRun(span - segments, freeCheckpoints - 1) + segmentsToRun(segments, freeCheckpoints);
    if (cost < best.cost) best = { segments, cost };
  }
  return best.segments;
}

/** Number of segment lengths that are tried. */
const SEGMENT_CANDIDATES = 128;

/**
 * Returns the history with the fewest rerun substeps that fits in memory.
 * @param affordable number of states that memory holds.
 * @param unit number of substeps of which segments are multiples.
 * @returns null if not even three states fit: two for a segment of one substep, and one checkpoint.
 */
export function planHistory(substeps: number, affordable: number, unit: number): History | null {
  if (substeps + 1 <= affordable) return { segment: Math.max(1, substeps), checkpoints: 0 };
  const most = Math.floor((affordable - 2) / unit);
  let best: { history: History; cost: number } | null = null;
  for (let k = 0; k < Math.min(SEGMENT_CANDIDATES, most); k++) {
    const segment = Math.max(1, Math.round((most * (k + 1)) / Math.min(SEGMENT_CANDIDATES, most))) * unit;
    const segments = Math.ceil(substeps / segment);
    const checkpoints = Math.min(segments, affordable - segment - 1);
    const cost = segment * segmentsToRun(segments, checkpoints - 1);
    if (!best || cost < best.cost) best = { history: { segment, checkpoints }, cost };
  }
  return best?.history ?? null;
}
