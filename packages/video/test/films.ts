import { createFrames, type Frames, frameLength } from '../src/index.ts';

/** Creates a film whose values are a function of column, row, channel and frame. */
export function filmOf(
  shape: Omit<Frames, 'data'>,
  count: number,
  value: (x: number, y: number, c: number, f: number) => number,
): Frames {
  const film = createFrames(shape, count);
  film.data.forEach((_, i) => {
    const pixel = Math.floor(i / shape.channels);
    const y = Math.floor(pixel / shape.width) % shape.height;
    film.data[i] = value(pixel % shape.width, y, i % shape.channels, Math.floor(i / frameLength(film)));
  });
  return film;
}

/** Returns a value of [0, 1] rounded to a multiple of 1/255, as files of 8 bits store it. */
export const eightBit = (value: number): number => Math.round(value * 255) / 255;

/** A disc with soft edges that moves over a colour gradient; values are multiples of 1/255. */
export function discFilm(width: number, height: number, count: number, frameRate = 30): Frames {
  return filmOf({ width, height, channels: 3, frameRate }, count, (x, y, c, f) => {
    const distance = Math.hypot(x - (width * (f + 1)) / (count + 1), y - height / 2);
    const disc = Math.min(Math.max(height / 5 - distance + 0.5, 0), 1);
    const ground = 0.3 + (0.4 * x) / width;
    return eightBit(ground + disc * ([0.9, 0.2, 0.1][c] - ground));
  });
}

/** Returns the largest absolute difference between values of two films. */
export function worstDifference(a: Frames, b: Frames): number {
  return a.data.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b.data[i])), 0);
}

/** Returns the root mean square difference between the values of two films. */
export function rootMeanSquare(a: Frames, b: Frames): number {
  return Math.sqrt(a.data.reduce((sum, value, i) => sum + (value - b.data[i]) ** 2, 0) / a.data.length);
}
