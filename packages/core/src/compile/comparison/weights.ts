import type { ComparedFrame } from './comparison.ts';

/** True if all frames have the same weights, so that one copy of them is enough. */
export function haveSameWeights(frames: readonly Pick<ComparedFrame, 'rootWeights'>[]): boolean {
  const [{ rootWeights: first }] = frames;
  return frames.every(({ rootWeights }) => areEqual(rootWeights, first));
}

function areEqual(a: ArrayLike<number> | null, b: ArrayLike<number> | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
