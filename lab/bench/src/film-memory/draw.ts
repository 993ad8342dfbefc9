import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { standardNormal } from '@gradsim/base';

/** Shape of a film. */
export interface FilmShape {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
  readonly frames: number;
}

/** Radius of the ball, m, and what is in the picture: distance of the wall, m, and its height, m. */
const RADIUS = 0.1;
const HEIGHT = 2.9;
const [FALL, RESTITUTION, ACROSS] = [1.95, 0.97, 0.1];
const GRAVITY = 9.81;
/** Standard deviation of the noise of luma, of 255, and the number of pictures of it that take turns. */
const [NOISE, PICTURES] = [1.5, 3];

/**
 * Films a ball that bounces before a wall with a pattern, with noise, by the program ffmpeg.
 * @param random numbers in [0, 1).
 */
export async function drawFilm(path: string, shape: FilmShape, random: () => number): Promise<void> {
  const { width, height, frameRate, frames } = shape;
  const luma = width * height;
  const chroma = luma / 4;
  const walls = Array.from({ length: PICTURES }, () => wall(shape, random));
  const ffmpeg = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`],
      ...['-r', String(frameRate), '-i', '-', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20'],
      ...['-colorspace', 'bt709', '-color_trc', 'bt709', '-color_primaries', 'bt709', path],
    ],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  const ended = once(ffmpeg, 'exit');
  const scale = height / HEIGHT;
  for (let frame = 0; frame < frames; frame++) {
    const picture = walls[Math.floor(PICTURES * random())].slice();
    const time = frame / frameRate;
    const [x, y] = [(0.8 + ACROSS * time) * scale, height - (0.2 + RADIUS + heightAt(time)) * scale];
    const radius = RADIUS * scale;
    for (let v = Math.max(0, Math.floor(y - radius)); v < Math.min(height, y + radius); v++)
      for (let u = Math.max(0, Math.floor(x - radius)); u < Math.min(width, x + radius); u++) {
        const part = Math.min(Math.max(radius + 0.5 - Math.hypot(u + 0.5 - x, v + 0.5 - y), 0), 1);
        if (part === 0) continue;
        // A dark red ball that is lit from above.
        const light = 70 + 40 * ((y - v) / radius) + NOISE * standardNormal(random);
        picture[v * width + u] = Math.round((1 - part) * picture[v * width + u] + part * light);
        if (u % 2 === 1 || v % 2 === 1) continue;
        const at = luma + (v / 2) * (width / 2) + u / 2;
        picture[at] = Math.round((1 - part) * picture[at] + part * 110);
        picture[at + chroma] = Math.round((1 - part) * picture[at + chroma] + part * 190);
      }
    if (!ffmpeg.stdin.write(picture)) await Promise.race([once(ffmpeg.stdin, 'drain'), ended]);
  }
  ffmpeg.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}.`);
}

/** Height of the ball over the floor, m, of one that falls from rest and bounces. */
function heightAt(time: number): number {
  const fall = Math.sqrt((2 * FALL) / GRAVITY);
  if (time < fall) return FALL - (GRAVITY / 2) * time ** 2;
  let [left, speed] = [time - fall, RESTITUTION * GRAVITY * fall];
  for (; left > (2 * speed) / GRAVITY; speed *= RESTITUTION) left -= (2 * speed) / GRAVITY;
  return speed * left - (GRAVITY / 2) * left ** 2;
}

/** A wall in planes of luma and of colour at half the resolution. */
function wall({ width, height }: FilmShape, random: () => number): Uint8Array {
  const picture = new Uint8Array(1.5 * width * height).fill(128);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const pattern = 12 * Math.sin((9 * x) / height) * Math.cos((7 * y) / height);
      picture[y * width + x] = Math.round(130 + pattern + NOISE * standardNormal(random));
    }
  return picture;
}
