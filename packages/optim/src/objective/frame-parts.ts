import type { PreparedObservation } from './prepared-observation.ts';

/** Minimum number of frames for detecting changes from one frame to the next; fewer are stills. */
export const MIN_FRAMES = 4;
/** Maximum number of parts of a still picture. */
const MAX_PARTS = 256;
/**
 * Number of frames from which on whole frames are the blocks of the statistics; with fewer, frames are split into
 * parts.
 */
const ENOUGH_STRETCHES = 24;
/** Minimum number of elements in a part, if frames are split into parts for the statistics. */
const MIN_PART = 16;

/** Moments at which something is observed, by their place in the run. */
export const momentsIn = (prepared: readonly PreparedObservation[]): Set<number> =>
  new Set(prepared.flatMap((p) => p.frames.map(({ frame }) => frame * p.instants)));

/** Number of parts into which each frame is split so that there are enough stretches for the statistics. */
export function partsOf(prepared: readonly PreparedObservation[]): number {
  const frames = momentsIn(prepared).size;
  const elements = Math.min(...prepared.map((p) => p.elements));
  const parts = Math.min(Math.ceil(ENOUGH_STRETCHES / frames), Math.floor(elements / MIN_PART));
  return Math.max(1, parts, partsOfStills(prepared));
}

/**
 * Number of parts, of one tile or more, into which a few still pictures are split; 0 for films and states. Each part has
 * to hold some of an outline, and most of the residuals that are correlated with one another.
 */
export function partsOfStills(prepared: readonly PreparedObservation[]): number {
  return momentsIn(prepared).size < MIN_FRAMES ? Math.min(MAX_PARTS, ...prepared.map(tilesOf)) : 0;
}

/** Number of tiles of an observation of pictures; 0 for states. */
export const tilesOf = ({ grid, elements }: PreparedObservation): number => (grid ? elements / grid.tile ** 2 : 0);

/** First and last index, exclusive, of some of the kept values of a frame, one of each component. */
export type Spans = readonly (readonly [from: number, to: number])[];

/** Spans of one of `parts` parts of a frame of `size` kept values. */
export function spansOf(p: PreparedObservation, size: number, parts: number, part: number): Spans {
  if (parts === 1) return [[0, size]];
  const [from, to] = [part, part + 1].map((edge) => Math.round((edge * tilesOf(p)) / parts) * p.grid!.tile ** 2);
  return Array.from({ length: p.values / p.elements }, (_, c) => [c * p.elements + from, c * p.elements + to]);
}
