import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { frameCount, inspectFilm, readFrames } from '../src/index.ts';
import { discFilm, worstDifference } from './films.ts';
import { bundleForNode } from './support/bundle.ts';
import { decoderProgram } from './support/decoder-of-source.ts';
import { h264, h264Missing, packetsOf, vp9InMp4 } from './support/videos.ts';

const film = discFilm(64, 48, 20, 25);
let whole: Uint8Array;
beforeAll(async () => {
  whole = await vp9InMp4(film);
});

/** Returns the film with four bytes of a sample table replaced, at an offset from the table's name. */
function changed(table: string, offset: number, value: number): Uint8Array {
  const bytes = whole.slice();
  const at = Buffer.from(bytes).indexOf(table, 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  new DataView(bytes.buffer).setUint32(at + offset, value);
  return bytes;
}

describe('a damaged MP4 on which a naive reader would loop forever', () => {
  it.each([
    ['stts', 12, 0x55000014, { code: 'video/file-damaged', values: [1426063380] }],
    ['stts', 8, 0x55000001, { code: 'video/file-damaged', values: [1426063361] }],
    ['stsz', 12, 0x7fffffff, { code: 'video/file-damaged', values: [2147483647, 20] }],
    ['stco', 8, 0x01000000, { code: 'video/file-damaged', values: [16777216] }],
  ])('is refused: table %s changed at byte %i from its name', async (table, offset, value, message) => {
    await expect(readFrames(changed(table, offset, value))).rejects.toThrowCode(message);
    await expect(inspectFilm(changed(table, offset, value))).rejects.toThrowCode(message);
  });
});

describe('reading', () => {
  it('is refused for a `patience` of 0 s', async () => {
    await expect(readFrames(whole, { patience: 0 })).rejects.toThrowCode({
      code: 'video/option-out-of-range',
      field: 'patience',
      values: [0],
    });
  });

  it('ends with AbortError or the reason given when its signal is aborted before, while opening, or while decoding', async () => {
    await expect(readFrames(whole, { signal: AbortSignal.abort(new Error('early')) })).rejects.toThrow('early');
    const during = new AbortController();
    const reading = readFrames(whole, {
      signal: during.signal,
      onProgress: (done) => done === 3 && during.abort(),
    });
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    const before = new AbortController();
    const opening = readFrames(whole, { signal: before.signal });
    before.abort();
    await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reports after each frame how many of how many are read', async () => {
    const said: number[][] = [];
    await readFrames(whole, {
      first: 4,
      last: 8,
      every: 2,
      onProgress: (...progress) => said.push(progress),
    });
    expect(said).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('of several films at once gives each its own pictures', async () => {
    const other = discFilm(48, 64, 12, 25);
    const bytes = await vp9InMp4(other);
    const [a, b, c] = await Promise.all([readFrames(whole), readFrames(bytes), readFrames(whole)]);
    expect([a.width, b.width]).toEqual([64, 48]);
    expect(worstDifference(a, c)).toBe(0);
  });
});

describe('the decoder process', () => {
  /** Returns a fragmented MP4 of which one fragment states as many samples as the file has bytes. */
  async function endless(): Promise<Uint8Array> {
    const bytes = new Uint8Array(2 ** 26);
    bytes.set(await vp9InMp4(film, { fastStart: 'fragmented' }));
    const view = new DataView(bytes.buffer);
    const run = Buffer.from(bytes).indexOf('trun', 0, 'latin1');
    view.setUint32(run + 4, 1);
    view.setUint32(run + 8, 2 ** 26);
    // What follows is a box that is free.
    const { length } = await vp9InMp4(film, { fastStart: 'fragmented' });
    view.setUint32(length, bytes.length - length);
    bytes.set(new TextEncoder().encode('free'), length + 4);
    return bytes;
  }

  it('is ended after `patience` seconds in an endless loop, while the caller continues and can read the next film', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    await expect(readFrames(await endless(), { patience: 2 })).rejects.toThrowCode({
      code: 'video/too-slow',
      values: [2, 'The file is damaged'],
    });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
    expect(frameCount(await readFrames(whole))).toBe(20);
  });

  it.skipIf(process.platform === 'win32')(
    'is started by prepareDecoder, reads the first film, and does not keep the caller alive',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'gradsim-prepared-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const path = join(folder, 'film.mp4');
      await writeFile(path, whole);
      const program = await bundleForNode(fileURLToPath(new URL('support/prepared.ts', import.meta.url)));
      const parent = spawn(process.execPath, [program, path], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, GRADSIM_TEST_DECODER: decoderProgram() },
      });
      await once(parent.stdout, 'data');
      const prepared = childrenOf(parent.pid!);
      expect(prepared.length).toBe(1);
      const read = once(parent.stdout, 'data');
      parent.stdin.end();
      expect(String((await read)[0])).toBe('20');
      expect(childrenOf(parent.pid!).filter((child) => !prepared.includes(child))).toEqual([]);
      expect(await once(parent, 'exit')).toEqual([0, null]);
    },
  );

  it.skipIf(process.platform === 'win32').each(['exit', 'SIGKILL'])(
    'does not outlive a program that ends by %s, even in an endless loop',
    async (way) => {
      const folder = await mkdtemp(join(tmpdir(), 'gradsim-orphan-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const path = join(folder, 'endless.mp4');
      await writeFile(path, await endless());
      const program = await bundleForNode(fileURLToPath(new URL('support/orphan.ts', import.meta.url)));
      const parent = spawn(process.execPath, [program, path], {
        stdio: ['pipe', 'ignore', 'inherit'],
        env: { ...process.env, GRADSIM_TEST_DECODER: decoderProgram() },
      });
      const ended = once(parent, 'exit');
      let decoders: number[] = [];
      for (let tries = 0; decoders.length === 0 && tries < 1200 && parent.exitCode === null; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        decoders = childrenOf(parent.pid!);
      }
      expect(decoders.length).toBe(1);
      // By then it is in its loop.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      if (way === 'SIGKILL') parent.kill('SIGKILL');
      else parent.stdin.end();
      await ended;
      for (let tries = 0; isThere(decoders[0]) && tries < 1200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isThere(decoders[0])).toBe(false);
    },
  );
});

function childrenOf(pid: number): number[] {
  const list = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = list
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a damaged frame is an error that names it', () => {
  it('in VP9', async () => {
    const packets = await packetsOf(whole);
    const bytes = whole.slice();
    bytes.fill(0xff, packets[7].at, packets[7].at + packets[7].length);
    await expect(readFrames(bytes)).rejects.toThrowCode({ code: 'video/frame-damaged', values: [7, 20] });
    // What comes before is whole.
    expect(worstDifference(await readFrames(bytes, { last: 6 }), await readFrames(whole, { last: 6 }))).toBe(0);
  });

  it.skipIf(h264Missing).each([
    ['that hang on no others', ['-g', '1', '-qp', '4'], [0, 7, 19]],
    ['that hang on those before', ['-bf', '0', '-qp', '4'], [5, 12]],
    // Those between two others are decoded after both, so it may be the one before that is named.
    ['that hang on those before and after', ['-bf', '3', '-qp', '4'], [6, 9]],
  ])('in H.264 (with B-frames, it or the one before) with frames %s', async (_, options, damagedFrames) => {
    const good = h264(film, options);
    const packets = await packetsOf(good);
    const times = packets.map(({ time }) => time).sort((a, b) => a - b);
    for (const frame of damagedFrames) {
      const { at, length } = packets.find(({ time }) => time === times[frame])!;
      const bytes = good.slice();
      // The length of the unit stays, and its first bytes, so that only its picture is wrong.
      bytes.fill(0x5a, at + length - Math.floor(length / 2), at + length);
      const error = await readFrames(bytes).then(
        () => undefined,
        (reason: Error) => reason.message,
      );
      const named = options.includes('3') ? `(${frame - 1}|${frame})` : frame;
      expect(error).toMatch(new RegExp(`frame ${named} of 20 cannot be decoded: ffmpeg says: `));
    }
  });
});
