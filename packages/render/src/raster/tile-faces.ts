import type { LocalArray, U32, Value } from '@gradsim/core';
import { countTrailingZeros, forRange, loop, min } from '@gradsim/core';
import type { PixelPlace } from '../pixels.ts';
import type { RasterShape } from './shape.ts';
import { FACES_PER_WORD, maskSizes } from './shape.ts';

/** Readers of the masks that the kernels of bins.ts write. */
export interface Masks {
  readonly tileMask: { at(index: U32): U32 };
  readonly groupMask: { at(index: U32): U32 };
}

/** Values that a loop over faces updates, by name. */
export type Sums = { readonly [name: string]: Value | LocalArray };

/** Loops over the set bits of a word, from the lowest. */
function forEachSetBit<S extends Sums>(word: U32, sums: S, body: (bit: U32, sums: S) => S): S {
  const end = loop<{ readonly bits: U32 } & S>(
    { bits: word, ...sums },
    ({ bits }) => bits.ne(0),
    ({ bits, ...rest }) => ({
      bits: bits.and(bits.sub(1)),
      ...body(countTrailingZeros(bits), rest as Sums as S),
    }),
  );
  const { bits: _, ...rest } = end;
  return rest as Sums as S;
}

/**
 * Loops over the faces that may contribute to a pixel of the tile, by ascending index. `body` gets the index in `faces`
 * and the current sums, and returns the new sums, with the same names in the same order.
 */
export function overTileFaces<S extends Sums>(
  shape: RasterShape,
  { tileMask, groupMask }: Masks,
  { camera, tileX, tileY }: PixelPlace,
  sums: S,
  body: (face: U32, sums: S) => S,
): S {
  const { tilesX, tilesY } = shape.layout;
  const { words, groups } = maskSizes(shape);
  const at = (word: U32): U32 => word.mul(tilesY).add(tileY).mul(tilesX).add(tileX);
  return forRange(0, groups, sums, (group, before) => {
    const mask = groupMask.at(at(camera.mul(groups).add(group)));
    return forEachSetBit(mask, before as S, (bit, outer) => {
      // Masks have no bits behind the last word and the last face: the bounds are for the compiler.
      const word = min(group.mul(FACES_PER_WORD).add(bit), words - 1);
      const faces = tileMask.at(at(camera.mul(words).add(word)));
      return forEachSetBit(faces, outer, (face, inner) =>
        body(min(word.mul(FACES_PER_WORD).add(face), shape.faces - 1), inner),
      );
    });
  });
}
