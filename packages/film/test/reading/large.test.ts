import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observedOutlines, readFilm, strokesOf } from '../../src/index.ts';

const encoders = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' }).stdout ?? '';
const missing = !encoders.includes('libx264');
if (missing) console.warn('skipped: large films, since no ffmpeg here writes H.264');

const [COUNT, SIDE] = [30, 150];

describe.skipIf(missing)('readFilm of a large film, 30 frames of 1280 x 960', () => {
  let folder: string;
  let film: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gradsim-large-'));
    film = join(folder, 'square.mp4');
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'color=0x808890:s=1280x960:r=20,format=yuv444p,noise=alls=4:allf=t'],
      ...['-f', 'lavfi', '-i', `color=0xb03020:s=${SIDE}x${SIDE}:r=20,format=yuv444p`],
      ...['-filter_complex', "[0][1]overlay=x='40.5+560*t':y='700.5-400*t':eval=frame:format=yuv444"],
      ...['-frames:v', String(COUNT), '-preset', 'ultrafast', '-crf', '18', '-pix_fmt', 'yuv420p', film],
    ]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  /** Middle of the square in a frame, px of the file. */
  const middle = (frame: number) => [40 + 28 * frame + SIDE / 2, 700 - 20 * frame + SIDE / 2];
  const lens = {
    ...{ width: 1280, height: 960, distortion: [0, 0, 0, 0, 0] as const },
    ...{ focalLength: [900, 900] as const, principalPoint: [639.5, 479.5] as const },
  };

  it('reads a large thing at half its size and says so: camera, marks, strokes and tracks are in these pixels', async () => {
    const said: string[] = [];
    const [x, y] = middle(9);
    const retouch = strokesOf(`remove 9 r160 ${x},${y}`);
    const large = await readFilm(film, { log: (line) => said.push(line), camera: lens, retouch });
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /square\.mp4 is large: of its 30 frames of 1280 x 960 pixels the parts are read in which something moves, at 1\/2 of their width and height \(640 x 480\), where what moves is about \d+ pixels wide, which is enough: pixels = all keeps every pixel\.$/,
    );
    expect([large.size, large.reduction, large.count]).toEqual([{ width: 640, height: 480 }, 2, COUNT]);
    expect(large.camera.focalLength).toEqual([450, 450]);
    expect(large.camera.principalPoint).toEqual([319.5, 239.5]);
    expect(large.marked({ ends: [10, 20, 110, 220], span: 1 })).toEqual({ ends: [5, 10, 55, 110], span: 1 });
    expect(large.pixel([10, 0])).toEqual([4.75, -0.25]);
    const [{ points }] = large.tracks;
    expect(points.map(({ frame }) => frame)).toEqual([...Array(COUNT).keys()].filter((frame) => frame !== 9));
    for (const point of points) {
      const [u, v] = middle(point.frame).map((c) => c / 2);
      expect(Math.hypot(point.x - u, point.y - v)).toBeLessThan(0.3);
      expect(Math.abs(Math.sqrt(point.area!) - SIDE / 2)).toBeLessThan(0.5);
    }
    expect(observedOutlines(large)[3]?.reaches).toHaveLength(24);
  });

  it('keeps every pixel for pixels: all, and where a size is given pixels are those of that size', async () => {
    const all = await readFilm(film, { pixels: 'all', first: 1, last: 12 });
    expect([all.size.width, all.reduction]).toEqual([1280, 1]);
    const [x, y] = middle(5);
    expect(Math.abs(all.tracks[0].points[4].x - x)).toBeLessThan(0.5);
    expect(Math.abs(all.tracks[0].points[4].y - y)).toBeLessThan(0.5);
    await expect(readFilm(film, { pixels: 'some' as never })).rejects.toThrowCode({ code: 'base/unknown-choice' });
  });

  it('throws the reason of a signal that is aborted while it reads', async () => {
    const stop = new AbortController();
    const reading = readFilm(film, {
      signal: stop.signal,
      onProgress: (done) => {
        if (done === 40) stop.abort(new Error('enough'));
      },
    });
    await expect(reading).rejects.toThrow('enough');
  });
});
