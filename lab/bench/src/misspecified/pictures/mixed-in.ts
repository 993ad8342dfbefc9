import { randomNumbers } from '@gradsim/optim';
import type { Film } from '../film.ts';
import { CHANNELS, PICTURE } from '../film.ts';
import { SIZE } from '../kinds/scene.ts';

/**
 * Pictures with another object in the background: a disc of another colour that crosses part of the picture, or stands
 * still in half of all films. Strength 1 is opaque.
 */
export function addClutter(film: Film, strength: number, seed: number): Film {
  const random = randomNumbers(seed);
  const [x, y] = [SIZE * (0.2 + 0.6 * random()), SIZE * (0.2 + 0.6 * random())];
  const way = random() < 0.5 ? [0, 0] : [SIZE * (random() - 0.5), SIZE * (random() - 0.5)];
  const radius = SIZE * (0.06 + 0.12 * random());
  const color = [random(), random(), random()];
  const pictures = film.length / PICTURE;
  return film.map((value, k) => {
    const [c, pixel, f] = [k % CHANNELS, Math.floor(k / CHANNELS) % (SIZE * SIZE), Math.floor(k / PICTURE)];
    if (c === 3) return value;
    const along = f / (pictures - 1) - 0.5;
    const away = Math.hypot((pixel % SIZE) - x - along * way[0], Math.floor(pixel / SIZE) - y - along * way[1]);
    // Its outline is a pixel wide.
    const covered = strength * Math.min(1, Math.max(0, radius - away + 0.5)) * (1 - film[k - c + 3]);
    return value + covered * (color[c] - value);
  });
}

/** Offset of a shadow from the object to the right and down, and half of the side of the square that blurs it, px. */
const [ACROSS, DOWN, BLUR] = [4, 6, 1];

/** Pictures in which the moving object casts a shadow on the background beside it. Strength 1 is black. */
export function addShadow(film: Film, strength: number): Film {
  const count = (2 * BLUR + 1) ** 2;
  return film.map((value, k) => {
    const c = k % CHANNELS;
    if (c === 3) return value;
    const pixel = Math.floor(k / CHANNELS) % (SIZE * SIZE);
    const picture = Math.floor(k / PICTURE) * PICTURE;
    let cast = 0;
    for (let dy = -BLUR; dy <= BLUR; dy++)
      for (let dx = -BLUR; dx <= BLUR; dx++) {
        const [x, y] = [(pixel % SIZE) - ACROSS + dx, Math.floor(pixel / SIZE) - DOWN + dy];
        if (x >= 0 && x < SIZE && y >= 0 && y < SIZE) cast += film[picture + (y * SIZE + x) * CHANNELS + 3] / count;
      }
    return value * (1 - strength * cast * (1 - film[k - c + 3]));
  });
}
