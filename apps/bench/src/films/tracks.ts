import { withoutSpecks } from '@gradsim/examples/photo/regions';
import type { ObservedOutline } from '@gradsim/film';
import type { Frames } from '@gradsim/video';
import { frameAt, frameCount, readFrames, toLinear, withoutHoles } from '@gradsim/video';
import { sharpened, sharpenedColumns } from './edges.ts';

/**
 * Maximum distance of a background pixel's colour from the empty scene's colour at the best-fitting brightness,
 * relative to the latter; above it the pixel shows the object.
 */
const STRANGE = 0.08;
/**
 * Minimum brightness of a pixel in shadow, as a fraction of its brightness in the empty scene; below it the pixel shows
 * the object.
 */
const DARKEST = 0.25;
/**
 * Maximum brightness of a pixel of the background, as a fraction of its brightness in the empty scene; above it the
 * pixel shows the object.
 */
const BRIGHTEST = 1.2;
/**
 * Brightness added to that of the empty scene before dividing by it, in linear light from 0 to 1: noise and rounding to
 * 8 bits.
 */
const NOISE = 0.01;
/** Minimum area of the object, px^2; smaller patches are ignored. */
const FEWEST_PIXELS = 30;

/** A film, and the picture of its scene without the object, in the colour encoding of the files. */
export interface FilmPictures {
  readonly frames: Frames;
  readonly background: Frames;
}

/**
 * Reads a film and the picture of its empty scene. Chroma samples lie in the middle of 2 x 2 pixels, since ffmpeg
 * averaged the colours of these when the film was encoded.
 */
export const readPictures = async (film: string, plate: string): Promise<FilmPictures> => ({
  frames: await readFrames(film, { channels: 3, chroma: 'centre' }),
  background: await readFrames(plate, { channels: 3, frameRate: 1 }),
});

/** Options for tracking an object. */
export interface Thing {
  /** Minimum thickness of parts that count as the object, px, for example to leave out a rod; 0 keeps all. */
  readonly thinnest: number;
  /**
   * True for a long horizontal object, whose edges are searched by pixel columns because it is not star-shaped. Default
   * false.
   */
  readonly isLevel?: boolean;
}

/**
 * Outlines the object in every frame: pixels that show neither the empty scene nor a shadow on it. A shadow lowers
 * brightness and hardly changes hue.
 *
 * @returns null for frames in which nothing is seen.
 */
export function trackThing(pictures: FilmPictures, { thinnest, isLevel = false }: Thing): (ObservedOutline | null)[] {
  // One curve for both: an encoder's note on it does not tell how the camera made them.
  const frames = toLinear(pictures.frames, 'srgb');
  const empty = toLinear(pictures.background, 'srgb');
  const { width, height } = frames;
  return Array.from({ length: frameCount(frames) }, (_, k) => {
    const strange = strangeness(frameAt(frames, k), frameAt(empty, 0));
    const whole = withoutHoles(withoutSpecks(opened(strange, width, height, thinnest), frames), frames);
    const rough = middleOf(whole, width, height);
    const sharpen = isLevel ? sharpenedColumns : sharpened;
    return rough && sharpen(rough, whole, { ...frames, data: frameAt(frames, k) });
  });
}

/** Marks with 1 each pixel whose colour is not that of the empty scene, neither lit nor in shadow. */
function strangeness(seen: Float32Array, empty: Float32Array): Uint8Array {
  const out = new Uint8Array(seen.length / 3);
  for (let p = 0; p < out.length; p++) {
    let [along, own, square] = [0, 0, 0];
    for (let c = 0; c < 3; c++) {
      const [s, e] = [seen[3 * p + c], empty[3 * p + c] + NOISE];
      along += (s + NOISE) * e;
      own += e * e;
      square += (s + NOISE) ** 2;
    }
    const shade = along / own;
    const aside = Math.sqrt(Math.max(square / own - shade * shade, 0));
    out[p] = Number(aside > STRANGE || shade < DARKEST || shade > BRIGHTEST);
  }
  return out;
}

/** Morphological opening of a picture of zeros and ones by a square of `thinnest` pixels. */
function opened(picture: Uint8Array, width: number, height: number, thinnest: number): Uint8Array {
  if (thinnest === 0) return picture;
  const reach = (of: Uint8Array, wanted: number): Uint8Array => {
    // Rows, then columns: the picture of what has a pixel of the wanted value within half a square.
    const pass = (from: Uint8Array, step: number, inside: (p: number, d: number) => boolean): Uint8Array =>
      from.map((value, p) => {
        for (let d = -half; d <= half; d++) if (inside(p, d) && from[p + d * step] === wanted) return wanted;
        return value;
      });
    const across = pass(of, 1, (p, d) => (p % width) + d >= 0 && (p % width) + d < width);
    return pass(across, width, (p, d) => p + d * width >= 0 && p + d * width < width * height);
  };
  const half = thinnest >> 1;
  return reach(reach(picture, 0), 1);
}

function middleOf(picture: Uint8Array, width: number, height: number): ObservedOutline | null {
  let [x, y, count] = [0, 0, 0];
  for (let p = 0; p < width * height; p++) {
    if (picture[p] === 0) continue;
    x += (p % width) + 0.5;
    y += Math.floor(p / width) + 0.5;
    count++;
  }
  return count < FEWEST_PIXELS ? null : { x: x / count, y: y / count, size: Math.sqrt(count / Math.PI) };
}
