import { beforeAll, describe, expect, it } from 'vitest';
import { encodeFrames, type Frames, readFrames } from '../src/index.ts';
import { findFfmpeg } from '../src/node/ffmpeg.ts';
import type { YuvPicture } from '../src/yuv.ts';
import { codecsMissing } from './codecs.ts';
import { discFilm } from './films.ts';

const ffmpeg = await findFfmpeg();
if (!ffmpeg) console.warn('skipped: there is no program ffmpeg on this machine');

describe.skipIf(!ffmpeg || codecsMissing)('ffmpeg in place of @mediabunny/server', () => {
  const size = { width: 64, height: 48 };
  let bytes: Uint8Array;
  let usual: Frames;
  beforeAll(async () => {
    bytes = await encodeFrames(discFilm(64, 48, 20), 'mp4');
    usual = await readFrames(bytes, { first: 7, last: 12, channels: 4 });
  });

  it('decodes the same frames, to its rounding of colours', async () => {
    const pictures: YuvPicture[] = [];
    for await (const picture of ffmpeg!.decode(bytes, { first: 7, last: 12 }, size)) pictures.push(picture);
    expect(pictures.length).toBe(6);
    pictures.forEach((picture, f) => {
      const difference = picture.bytes.reduce(
        (sum, value, i) => sum + Math.abs(value / 255 - usual.data[f * 64 * 48 * 4 + i]),
        0,
      );
      expect(difference / picture.bytes.length).toBeLessThan(0.01);
    });
  });

  it('says what ffmpeg says about a damaged file', async () => {
    const read = async () => {
      for await (const _ of ffmpeg!.decode(bytes.subarray(0, 100), { first: 0, last: 1 }, size));
    };
    await expect(read()).rejects.toThrow(/ffmpeg reports/);
  });
});
