import type { ComparedFrame } from './comparison.ts';

/** Returns the number of copies of weights that frames need: none where all are 1, one where all have the same. */
export function copiesOfWeights(frames: readonly Pick<ComparedFrame, 'rootWeights'>[]): number {
  const [{ rootWeights: first }] = frames;
  if (!frames.every(({ rootWeights }) => areEqual(rootWeights, first))) return frames.length;
  return first ? 1 : 0;
}

function areEqual(a: ArrayLike<number> | null, b: ArrayLike<number> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
