import { createFrames, type Frames, frameLength } from '../src/index.ts';

/** A film whose values come from a function of column, row, channel and frame. */
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

/** Rounded to whole 8 bit values, as files hold them. */
export const eightBit = (value: number): number => Math.round(value * 255) / 255;

/** A soft disc that moves over a slope of colours, with whole 8 bit values. */
export function discFilm(width: number, height: number, count: number, frameRate = 30): Frames {
  return filmOf({ width, height, channels: 3, frameRate }, count, (x, y, c, f) => {
    const distance = Math.hypot(x - (width * (f + 1)) / (count + 1), y - height / 2);
    const disc = Math.min(Math.max(height / 5 - distance + 0.5, 0), 1);
    const ground = 0.3 + (0.4 * x) / width;
    return eightBit(ground + disc * ([0.9, 0.2, 0.1][c] - ground));
  });
}

/** Largest difference of two films. */
export function worstDifference(a: Frames, b: Frames): number {
  return a.data.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b.data[i])), 0);
}

/** Root of the mean squared difference of two films. */
export function rootMeanSquare(a: Frames, b: Frames): number {
  return Math.sqrt(a.data.reduce((sum, value, i) => sum + (value - b.data[i]) ** 2, 0) / a.data.length);
}
