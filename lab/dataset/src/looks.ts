import type { Texture, TriangleMesh } from '@gradsim/mesh';
import { between, oneOf, type Random } from './random.ts';
import type { Shape } from './shapes/cage.ts';
import { PART_COLORS } from './shapes/shapes.ts';

/** Red, green and blue, 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number];

/** Pattern multiplied with the colours of a solid's parts; `plain` changes nothing. */
export interface Pattern {
  readonly kind: 'plain' | 'checks' | 'stripes' | 'speckles';
  /** Number of squares or stripes per metre; for speckles, their random seed. */
  readonly count: number;
  /** Colour of every second square, stripe or speckle; the others are white. */
  readonly color: Color;
}

/** Appearance of a solid: a colour for each part, multiplied by a pattern. */
export interface Look {
  readonly partColors: Readonly<Record<string, Color>>;
  readonly pattern: Pattern;
}

/** Width and height of all textures, texels; a texture covers one metre. */
const TEXELS = 32;

/**
 * Draws a pattern, `plain` in two thirds of all draws, and the colours of a solid's parts, close to those of the real
 * object in half of all draws.
 */
export function drawLook(random: Random, { partNames }: Shape): Look {
  const isNatural = random() < 0.5;
  const colorOf = (part: string): Color => {
    const natural = isNatural ? PART_COLORS[part] : undefined;
    return natural ? similarColor(random, natural) : anyColor(random);
  };
  return {
    partColors: Object.fromEntries(partNames.map((part) => [part, colorOf(part)])),
    pattern: drawPattern(random),
  };
}

function drawPattern(random: Random): Pattern {
  const isPlain = random() < 2 / 3;
  const kind = oneOf(random, ['checks', 'stripes', 'speckles'] as const);
  const pattern = { kind, count: oneOf(random, [2, 4, 8]), color: anyColor(random) };
  return isPlain ? { ...pattern, kind: 'plain' } : pattern;
}

export const anyColor = (random: Random): Color => [
  between(random, 0.1, 1),
  between(random, 0.1, 1),
  between(random, 0.1, 1),
];

const similarColor = (random: Random, [red, green, blue]: Color): Color => {
  const shifted = (value: number) => Math.min(1, Math.max(0, value * between(random, 0.8, 1.2)));
  return [shifted(red), shifted(green), shifted(blue)];
};

/** Colours of all triangles of a shape, `[triangle][red, green, blue]`. */
export const triangleColors = ({ parts, partNames }: Shape, { partColors }: Look): Float64Array =>
  Float64Array.from([...parts].flatMap((part) => partColors[partNames[part]]));

/** Texture of a pattern: 32 x 32 texels with red, green and blue. */
export function patternTexture({ kind, count, color }: Pattern): Texture {
  const cell = TEXELS / (2 * count);
  const isColored = (x: number, y: number): boolean => {
    const [i, j] = [Math.floor(x / cell), Math.floor(y / cell)];
    switch (kind) {
      case 'plain':
        return false;
      case 'checks':
        return (i + j) % 2 === 1;
      case 'stripes':
        return j % 2 === 1;
      case 'speckles':
        // A hash of the place alone, so that a pattern needs no random numbers.
        return (Math.imul(i * 73856093 + count * 7, j * 19349663 + 11) >>> 8) % 3 === 0;
    }
  };
  const colors = Array.from({ length: TEXELS * TEXELS }, (_, k) =>
    isColored(k % TEXELS, Math.floor(k / TEXELS)) ? color : [1, 1, 1],
  );
  return { width: TEXELS, height: TEXELS, colors: colors.flat() };
}

/** Texture coordinates of a mesh: each triangle is projected along the coordinate axis closest to its normal. */
export function projectedUvs({ positions, triangles }: TriangleMesh): number[] {
  const uvs: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    const [u, v] = [b, c].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    const normal = [0, 1, 2].map((k) => Math.abs(u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]));
    const along = normal.indexOf(Math.max(...normal));
    const [across, down] = along === 1 ? [0, 2] : [along === 0 ? 2 : 0, 1];
    for (const corner of [a, b, c]) uvs.push(corner[across], -corner[down]);
  }
  return uvs;
}
