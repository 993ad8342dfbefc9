import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Frames, inspectFilm, readFrames } from '../../src/index.ts';
import { discFilm, worstDifference } from '../films.ts';
import { h264Missing, vp9InMp4 } from '../support/videos.ts';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-matrix-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytes = await vp9InMp4(discFilm(48, 32, 3));
const plain = await readFrames(bytes);

/** Entries a, b, c, d of a matrix by which a stored pixel (x, y) is shown at (a x + c y, b x + d y). */
type Linear = readonly [number, number, number, number];
const TURNS: readonly Linear[] = [
  [1, 0, 0, 1],
  [0, 1, -1, 0],
  [-1, 0, 0, -1],
  [0, -1, 1, 0],
];
const mirrored = ([a, b, c, d]: Linear): Linear => [-a, b, -c, d];

/** Writes a matrix into the box of a track or of the film. */
function withMatrix(film: Uint8Array, box: 'tkhd' | 'mvhd', matrix: Linear): Uint8Array {
  const copy = film.slice();
  const view = new DataView(copy.buffer);
  const start = Buffer.from(copy).indexOf(box) + 4;
  const isLong = view.getUint8(start) === 1;
  const at = start + (box === 'tkhd' ? (isLong ? 52 : 40) : isLong ? 48 : 36);
  [0, 4, 12, 16].forEach((offset, k) => {
    view.setInt32(at + offset, Math.round(matrix[k] * 65_536));
  });
  return copy;
}

/** Shows each pixel where the matrix says, in a picture that begins at 0. */
function shown(film: Frames, [a, b, c, d]: Linear): Frames {
  const [width, height] = a !== 0 ? [film.width, film.height] : [film.height, film.width];
  const from = (x: number, y: number) => [a * x + c * y, b * x + d * y];
  const far = from(film.width - 1, film.height - 1);
  const [left, top] = far.map((end) => Math.min(0, end));
  const data = new Float32Array(film.data.length);
  for (let i = 0; i < film.data.length; i++) {
    const [pixel, channel] = [Math.floor(i / 3), i % 3];
    const [x, y] = from(pixel % film.width, Math.floor(pixel / film.width) % film.height);
    const frame = Math.floor(pixel / film.width / film.height);
    data[3 * (frame * width * height + (y - top) * width + x - left) + channel] = film.data[i];
  }
  return { ...film, width, height, data };
}

it('of a track turns and mirrors pictures as it says, in all eight ways, and as players do', async () => {
  for (const [k, turn] of TURNS.entries())
    for (const isMirrored of [false, true]) {
      const matrix = isMirrored ? mirrored(turn) : turn;
      const film = withMatrix(bytes, 'tkhd', matrix);
      const read = await readFrames(film);
      const expected = shown(plain, matrix);
      expect([read.width, read.height]).toEqual([expected.width, expected.height]);
      expect(worstDifference(read, expected), `${matrix}`).toBe(0);
      const info = await inspectFilm(film);
      expect([info.rotation, info.isMirrored ?? false]).toEqual([90 * k, isMirrored]);
      if (h264Missing) continue;
      const path = join(folder, 'film.mp4');
      writeFileSync(path, film);
      const options = ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'];
      const players = execFileSync('ffmpeg', options, { maxBuffer: 1e8 });
      expect(players).toHaveLength(read.data.length);
      // The same pictures, but for rounding and the interpolation of colours.
      const mean = read.data.reduce((sum, x, i) => sum + Math.abs(x - players[i] / 255), 0) / read.data.length;
      expect(mean, `${matrix}`).toBeLessThan(0.03);
    }
});

it('of the film counts after that of the track, and magnifying changes nothing', async () => {
  const film = withMatrix(withMatrix(bytes, 'tkhd', [0, 2, -2, 0]), 'mvhd', [-1, 0, 0, 1]);
  expect(worstDifference(await readFrames(film), shown(plain, mirrored(TURNS[1])))).toBe(0);
});

it('is refused with its values where it turns by another angle, stretches or slants', async () => {
  for (const matrix of [
    [0.866, 0.5, -0.5, 0.866],
    [1.5, 0, 0, 1],
    [1, 0.2, 0, 1],
  ] as const)
    await expect(inspectFilm(withMatrix(bytes, 'tkhd', matrix))).rejects.toThrowCode({
      code: 'video/display-matrix',
      values: [`(${matrix[0]} ${matrix[1]}; ${matrix[2]} ${matrix[3]})`],
    });
});
