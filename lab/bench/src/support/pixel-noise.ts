import { standardNormal } from '@gradsim/base';
import type { layoutOf } from '@gradsim/render';
import { fromRows } from '@gradsim/render';

/**
 * Fractions of the total variance 1 of mixed noise: white noise, noise correlated between neighbouring pixels, and one
 * offset per frame and channel.
 */
const MIXED = { white: 0.5, blurred: 0.45, offset: 0.05 } as const;

/**
 * Noise of variance 1 for red, green and blue in the order of `pixels.rgba`, `[frame][pixel][channel]`; alpha has none.
 * Kind `white` is independent, `mixed` is partly correlated between neighbouring pixels and over each frame, like that
 * of a camera with a codec.
 * @throws for another kind.
 */
export function pixelNoise(
  layout: ReturnType<typeof layoutOf>,
  frames: number,
  kind: string,
  random: () => number,
): Float64Array {
  if (kind !== 'white' && kind !== 'mixed') throw new Error(`There is no noise "${kind}"; there are white and mixed.`);
  const normal = (): number => standardNormal(random);
  const { width, height, pixels } = layout;
  const all = new Float64Array(frames * pixels * 4);
  for (let f = 0; f < frames; f++) {
    const rows = new Float32Array(width * height * 4);
    for (let c = 0; c < 3; c++) {
      const sharp = Float64Array.from({ length: (width + 1) * (height + 1) }, normal);
      const offset = normal();
      for (let p = 0; p < width * height; p++) {
        const at = Math.floor(p / width) * (width + 1) + (p % width);
        // Of four neighbours, of variance 1 again.
        const blurred = (sharp[at] + sharp[at + 1] + sharp[at + width + 1] + sharp[at + width + 2]) / 2;
        rows[p * 4 + c] =
          kind === 'white'
            ? normal()
            : Math.sqrt(MIXED.white) * normal() + Math.sqrt(MIXED.blurred) * blurred + Math.sqrt(MIXED.offset) * offset;
      }
    }
    all.set(fromRows(layout, rows, 4), f * pixels * 4);
  }
  return all;
}
