import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';
import { describe, expect, it, vi } from 'vitest';
import { encodeFrames, inspectFilm, readFrames, writeFrames } from '../../src/index.ts';
import { discFilm, worstDifference } from '../films.ts';

// Node without codecs looks like a browser without WebCodecs, so the code for browsers can be run here.
vi.mock('#platform', () => import('../../src/browser/platform.ts'));

/** A WebM with empty packets: enough for all that happens before decoding. */
async function hollowWebm(): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source, { frameRate: 10, rotation: 0 });
  await output.start();
  for (let f = 0; f < 5; f++) {
    const packet = new EncodedPacket(new Uint8Array(16), f === 0 ? 'key' : 'delta', f / 10, 0.1);
    const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 32, codedHeight: 24 };
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer!);
}

describe('without codecs', () => {
  it('the properties of a video are read, and the error of decoding it names the codec', async () => {
    const bytes = await hollowWebm();
    expect(await inspectFilm(bytes)).toMatchObject({
      format: 'webm',
      codec: 'vp9',
      width: 32,
      frameCount: 5,
    });
    await expect(readFrames(bytes)).rejects.toThrowCode({ code: 'video/no-decoder', values: ['vp9', 'This'] });
  });

  it('an AVI is refused with the command that converts it', async () => {
    const bytes = new TextEncoder().encode('RIFF\0\0\0\0AVI LIST');
    await expect(inspectFilm(bytes)).rejects.toThrowCode({ code: 'video/no-decoder', values: ['AVI', 'ffmpeg -i'] });
  });

  it('the error of encoding a video names codec and size', async () => {
    await expect(encodeFrames(discFilm(32, 24, 2), 'mp4')).rejects.toThrowCode({
      code: 'video/no-encoder',
      values: [32, 24, 'avc'],
    });
  });

  it('a GIF is read from a File and from a URL', async () => {
    const film = discFilm(8, 6, 3);
    const bytes = (await encodeFrames(film, 'gif')) as Uint8Array<ArrayBuffer>;
    expect(worstDifference(await readFrames(new File([bytes], 'disc.gif')), film)).toBe(0);
    const url = `data:image/gif;base64,${Buffer.from(bytes).toString('base64')}`;
    expect(worstDifference(await readFrames(url), film)).toBe(0);
  });

  it('writing to a path is refused in a browser', async () => {
    await expect(writeFrames('a.gif', discFilm(8, 6, 3))).rejects.toThrowCode('video/not-in-browser');
  });
});
