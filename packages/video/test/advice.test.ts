import { afterEach, expect, it, vi } from 'vitest';
import { encodeFrames, readFrames } from '../src/index.ts';
import { discFilm } from './films.ts';
import { h264, h264Missing } from './support/videos.ts';

// Whatever this machine has, these look for a program ffmpeg where there is none.
vi.mock('../src/node/ffmpeg-program.ts', () => ({ hasFfmpeg: async () => false, FfmpegProgram: class {} }));
afterEach(() => vi.restoreAllMocks());

it.skipIf(h264Missing)(
  'without ffmpeg, the error of reading H.264 says what to install, and under which licence',
  async () => {
    await expect(readFrames(h264(discFilm(32, 24, 3)))).rejects.toThrowCode({
      code: 'video/no-decoder',
      values: ['LGPL', 'mediabunny/server', 'avc', 'Install'],
    });
  },
);

it('without ffmpeg, the error of writing MP4 says what to install, under which licence, and names GIF and PNG', async () => {
  await expect(encodeFrames(discFilm(32, 24, 3), 'mp4')).rejects.toThrowCode({
    code: 'video/no-encoder',
    values: ['GIF', 'PNG', 'mediabunny/server', 'GPL', 'x264', 'x265', 'avc', 'Write'],
  });
});
