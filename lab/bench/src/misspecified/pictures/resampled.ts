import type { Film } from '../film.ts';
import { CHANNELS, PICTURE } from '../film.ts';
import { SIZE } from '../kinds/scene.ts';

/**
 * Pictures through a lens with radial distortion: what was at r (1 + strength r^2) from the middle appears at r, in
 * half widths of the picture. Interpolated linearly; beyond the border the border is repeated.
 */
export function distortFilm(film: Film, strength: number): Film {
  const seen = new Float64Array(film.length);
  const half = SIZE / 2;
  const within = (place: number): number => Math.min(Math.max(place, 0), SIZE - 1);
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < SIZE; x++) {
      const [u, v] = [(x + 0.5) / half - 1, (y + 0.5) / half - 1];
      const factor = 1 + strength * (u * u + v * v);
      const [sx, sy] = [within((u * factor + 1) * half - 0.5), within((v * factor + 1) * half - 0.5)];
      const [left, top] = [Math.min(Math.floor(sx), SIZE - 2), Math.min(Math.floor(sy), SIZE - 2)];
      const [right, down] = [sx - left, sy - top];
      const from = (top * SIZE + left) * CHANNELS;
      for (let at = 0; at < film.length; at += PICTURE)
        for (let c = 0; c < CHANNELS; c++) {
          const corner = at + from + c;
          const upper = film[corner] * (1 - right) + film[corner + CHANNELS] * right;
          const below = corner + SIZE * CHANNELS;
          const lower = film[below] * (1 - right) + film[below + CHANNELS] * right;
          seen[at + (y * SIZE + x) * CHANNELS + c] = upper * (1 - down) + lower * down;
        }
    }
  return seen;
}
