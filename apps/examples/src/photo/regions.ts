import { patchesOf } from '@gradsim/video';

/** Ratio of a patch's area to the largest patch's below which it is a speck, which is removed. */
const MIN_RELATIVE_AREA = 0.1;

/**
 * Returns a picture of zeros and ones without its specks, connected patches of ones that are much smaller than the
 * largest.
 */
export function withoutSpecks(
  picture: Uint8Array,
  size: { readonly width: number; readonly height: number },
): Uint8Array {
  const patches = patchesOf(picture, size);
  const largest = Math.max(...patches.map((patch) => patch.length));
  const out = new Uint8Array(picture.length);
  for (const patch of patches) if (patch.length >= MIN_RELATIVE_AREA * largest) for (const p of patch) out[p] = 1;
  return out;
}
