import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFrames, encodeFrames, type Frames, frameAt, readTracks } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

const SIZE = { width: 64, height: 40 };
const place = (f: number): [number, number] => [8 + 4 * f, 12 + 0.25 * (f - 6) ** 2];

/** Film of a blue disc of radius 4 px over a grey gradient. @param shown time shown in each frame, in frames; `place` gives the disc's position, px. */
function film(
  shown: readonly number[],
  ground = (x: number, y: number, _f: number): number => 0.5 + 0.2 * Math.sin(x / 5) * Math.cos(y / 4),
): Frames {
  const frames = createFrames({ ...SIZE, channels: 3, frameRate: 20 }, shown.length);
  shown.forEach((f, k) => {
    frameAt(frames, k).forEach((_, i) => {
      const [p, c] = [Math.floor(i / 3), i % 3];
      const [x, y] = [(p % 64) + 0.5, Math.floor(p / 64) + 0.5];
      const a = Math.min(Math.max(4.5 - Math.hypot(x - place(f)[0], y - place(f)[1]), 0), 1);
      const behind = ground(x, y, f);
      frames.data[k * SIZE.width * SIZE.height * 3 + i] = (1 - a) * behind + a * [0.1, 0.2, 0.9][c];
    });
  });
  return frames;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

async function look(frames: Frames, ...options: string[]) {
  const folder = temporaryFolder();
  const path = join(folder, 'throw.gif');
  writeFileSync(path, await encodeFrames(frames, 'gif'));
  const out = join(folder, 'out');
  return { out, ...(await gradsim(['look', path, '--out', out, ...options])) };
}

/** Reason why films with two video tracks cannot be made here; undefined if they can. */
const missing = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' }).stdout?.includes('libx264')
  ? undefined
  : 'the machine has no program ffmpeg that writes H.264';
if (missing) console.warn(`skipped: films with two video tracks, since ${missing}`);

it('gradsim estimate --track without --video is refused', async () => {
  const { code, stderr } = await gradsim(['estimate', FALLING_MOTE, '--track', '2']);
  expect([code, stderr.join()]).toEqual([
    1,
    expect.stringContaining('--track says which video track of a film is meant. Give the film with --video FILE.'),
  ]);
});

describe.skipIf(missing)('gradsim look of a film with two video tracks', () => {
  it('reads the one that --track names, reports which, and refuses a number that it does not have', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'two.mp4');
    const source = (size: string, rate: number): string[] => [
      ...['-f', 'lavfi', '-i', `testsrc=s=${size}:r=${rate}:d=1`],
    ];
    execFileSync('ffmpeg', [
      ...['-v', 'error', ...source('64x48', 10), ...source('48x32', 8), '-map', '0', '-map', '1'],
      ...['-pix_fmt', 'yuv420p', path],
    ]);
    for (const [args, size, count] of [
      [['--track', '1'], '64 x 48', 10],
      [['--track', '2'], '48 x 32', 8],
    ] as const) {
      const out = join(folder, `out-${args[1]}`);
      const { code, stdout, stderr } = await gradsim(['look', path, '--out', out, ...args]);
      expect(code, stderr.join()).toBe(0);
      expect(stdout[0]).toMatch(new RegExp(`^${size} pixels, ${count} frames`));
      expect(stderr.join()).toContain(
        `two.mp4 has 2 video tracks; track ${args[1]} is read (${size} pixels, ${count} frames, avc). --track N chooses another.`,
      );
    }
    const { code, stderr } = await gradsim(['look', path, '--track', '3', '--out', join(folder, 'out')]);
    expect([code, stderr.join()]).toEqual([1, expect.stringContaining('so there is no track 3')]);
  });
});

describe('gradsim look', () => {
  it('prints the moving disc, and writes its track, right to 0.2 px, and a self-contained page', async () => {
    const { code, stdout, out } = await look(film(numbers(13)));
    expect(code).toBe(0);
    expect(stdout[0]).toBe('64 x 40 pixels, 13 frames, 20 frames a second, gif');
    expect(stdout.some((line) => /^1 +0 to 12 +13 /.test(line))).toBe(true);
    const [disc] = readTracks(readFileSync(join(out, 'tracks.csv'), 'utf8'));
    for (const { frame, x, y, time } of disc.points) {
      expect(Math.hypot(x - place(frame)[0], y - place(frame)[1])).toBeLessThan(0.2);
      expect(time).toBeCloseTo(frame / 20, 6);
    }
    const page = readFileSync(join(out, 'look.html'), 'utf8');
    expect(page).not.toMatch(/https?:|<link|<script[^>]|@import|url\(/);
    for (const title of ['track 1: x', 'track 1: y, downwards', 'track 1: area']) expect(page).toContain(title);
  });

  it('prints one line of JSON with --json, for the requested frames, numbered as in the file', async () => {
    const { stdout, stderr } = await look(film(numbers(13)), '--json', '--first', '2', '--last', '10', '--every', '2');
    expect(stdout).toHaveLength(1);
    const { tracks, read, width } = JSON.parse(stdout[0]);
    expect({ read, width }).toEqual({
      read: { first: 2, every: 2, frames: 5, frameRate: 10 },
      width: 64,
    });
    const [{ points }] = tracks as { points: { frame: number; time: number; x: number }[] }[];
    expect(points.map(({ frame }) => frame)).toEqual([2, 4, 6, 8, 10]);
    points.forEach(({ frame, time, x }) => {
      expect(time).toBeCloseTo(frame / 20, 6);
      expect(Math.abs(x - place(frame)[0])).toBeLessThan(0.2);
    });
    expect(stderr.join('\n')).toContain('look.html');
  });

  it.each([
    ['1 a second', [0, 1, 2, 3, 4, 6, 7, 8, 12, 13, 14, 15], '20 a second, of which 4 are missing'],
    ['of two rates', [0, 1, 2, 3, 4, 5, 6, 7.6, 9.2, 10.8, 12.4], '20 then 12.5 a second'],
    ['with jitter', [0, 1.4, 2, 3, 4.4, 5, 6.2, 7, 8.4, 9, 10], '30 to 70 ms apart'],
  ])('says that frames are at uneven times: %s', async (_, shown, said) => {
    const uneven = { ...film(shown), times: shown.map((f) => f / 20) };
    const { code, stdout, out } = await look(uneven);
    expect(code).toBe(0);
    expect(stdout.join('\n')).toContain(`Frames at uneven times: ${said}, used as stated.`);
    const [track] = readTracks(readFileSync(join(out, 'tracks.csv'), 'utf8'));
    for (const { frame, time } of track.points) expect(Math.abs(time - shown[frame] / 20)).toBeLessThan(1e-6);
  });

  it('warns of repeated frames, of an object that moves by over its width per frame, and of a frame rate unlike the time stamps', async () => {
    const twice = await look(film([0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 9, 10]));
    expect(twice.stdout).toContain('2 frames (4, 11) each show the one before once more.');
    const fast = await look(film([0, 3, 6, 9, 12]), '--frame-rate', '60');
    expect(fast.stdout.join('\n')).toMatch(/Track 1 moves by up to 1\.\d of its widths a frame/);
    expect(fast.stdout.join('\n')).toMatch(/Its clock says 20 frames a second, and --frame-rate 60/);
  });

  it('attributes motion before a plain wall to the object, not to the camera', async () => {
    // The only static edge, between wall and floor, is horizontal: shifts along it are the disc's.
    const plain = await look(
      film(numbers(13), (_, y) => (y < 26 ? 0.6 : 0.5)),
      '--json',
    );
    const { cameraMoves, remarks, tracks } = JSON.parse(plain.stdout[0]);
    expect({ cameraMoves, remarks }).toEqual({ cameraMoves: 0, remarks: [] });
    expect(tracks[0].points.length).toBe(13);
  });

  it('measures the largest shift of a moving camera to 0.15 px, and reports that it moves', async () => {
    const sway = (f: number): number => 1.5 * Math.sin(f);
    const held = await look(
      film(numbers(13), (x, y, f) => 0.5 + 0.2 * Math.sin((x - sway(f)) / 5) * Math.cos(y / 4)),
      '--json',
    );
    const { cameraMoves, remarks } = JSON.parse(held.stdout[0]);
    const most = Math.max(...numbers(13).map((f) => Math.abs(sway(f) - sway(6))));
    expect(Math.abs(cameraMoves - most)).toBeLessThan(0.15);
    expect(remarks.join('\n')).toContain('The camera moves');
  });

  it('reports that nothing moves, and still shows the film', async () => {
    const { code, stdout, out } = await look(film([3, 3, 3]));
    expect(code).toBe(0);
    expect(stdout.join('\n')).toMatch(/Nothing in the film differs from the background/);
    expect(readFileSync(join(out, 'look.html'), 'utf8')).toContain('<h3>Frame by frame</h3>');
  });

  it('refuses a missing film, an existing folder, and invalid values of options', async () => {
    const missing = await gradsim(['look', 'nothing.mp4']);
    expect({ code: missing.code, stdout: missing.stdout }).toEqual({ code: 1, stdout: [] });
    expect(missing.stderr.join('\n')).toContain('nothing.mp4');
    const { out } = await look(film(numbers(4)));
    const path = join(out, '..', 'throw.gif');
    expect((await gradsim(['look', path, '--out', out])).stderr.join('\n')).toContain('is there already');
    const rate = await gradsim(['look', path, '--frame-rate', 'fast']);
    expect(rate.stderr).toEqual(['--frame-rate takes a number above 0, not "fast". [gradsim/option-wrong]']);
    const chroma = await gradsim(['look', path, '--chroma', 'middle']);
    expect(chroma.stderr).toEqual(['--chroma is left or centre, not "middle". [gradsim/option-wrong]']);
  });
});
