import type { U32, Value } from '@gradsim/core';
import { countTrailingZeros, forRange, loop, select, u32 } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import type { RasterShape } from './scene.ts';
import { maskSizes, WORD } from './scene.ts';

/** Reading the masks that the kernels of bins.ts wrote. */
interface Masks {
  readonly tileMask: { at(index: U32): U32 };
  readonly groupMask: { at(index: U32): U32 };
}

type Sums = { readonly [name: string]: Value };

/**
 * Goes over the faces that may count for the tile of a pixel, in the order of their numbers. `body` gets the
 * number of the face and the sums so far, and gives back the new sums, with the same names in the same order.
 *
 * One loop goes over the bits of all words of a group, and takes up the next word as it uses up one: words hold few
 * faces of a tile each, and a loop that ends after two or three rounds costs more to leave than these take.
 */
export function overFaces<S extends Sums>(
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
    const firstWord = camera.mul(words).add(group.mul(WORD));
    /** The next of the words that are left, its first face, and the words that are left after it. */
    const nextWord = (left: U32) => {
      const word = countTrailingZeros(left);
      return {
        bits: select(left.ne(0), tileMask.at(at(firstWord.add(word))), u32(0)),
        firstFace: group.mul(WORD).add(word).mul(WORD),
        left: left.and(left.sub(1)),
      };
    };
    const end = loop<{ bits: U32; firstFace: U32; left: U32 } & S>(
      { ...nextWord(groupMask.at(at(camera.mul(groups).add(group)))), ...(before as S) },
      ({ bits }) => bits.ne(0),
      ({ bits, firstFace, left, ...inner }) => {
        const rest = bits.and(bits.sub(1));
        const isUsedUp = rest.eq(0);
        const next = nextWord(left);
        return {
          bits: select(isUsedUp, next.bits, rest),
          firstFace: select(isUsedUp, next.firstFace, firstFace),
          left: select(isUsedUp, next.left, left),
          ...body(firstFace.add(countTrailingZeros(bits)), inner as Sums as S),
        };
      },
    );
    const { bits: _, firstFace: __, left: ___, ...after } = end;
    return after as Sums as S;
  });
}
