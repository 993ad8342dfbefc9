import { spawnSync } from 'node:child_process';
import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
  WEBM,
} from 'mediabunny';
import { encodeFrames, type Frames, frameAt, frameCount } from '../../src/index.ts';
import { toI420 } from '../../src/write/i420.ts';

/** Encodes a film as VP9 in an MP4: the container of phones with a codec that can be read everywhere. */
export async function vp9InMp4(film: Frames, options: { fastStart?: 'fragmented' } = {}): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(await encodeFrames(film, 'webm')), formats: [WEBM] });
  const track = (await input.getPrimaryVideoTrack())!;
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(options), target });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source, film.times ? {} : { frameRate: film.frameRate });
  await output.start();
  const decoderConfig = (await track.getDecoderConfig())!;
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig });
  await output.finalize();
  input.dispose();
  return new Uint8Array(target.buffer!);
}

/** Reason why H.264 cannot be tested on this machine; undefined if it can. */
export const h264Missing: string | undefined = (() => {
  const { stdout, error } = spawnSync('ffmpeg', ['-hide_banner', '-encoders'], { encoding: 'utf8' });
  if (error) return 'there is no program ffmpeg on this machine';
  return stdout.includes('libx264') ? undefined : 'the program ffmpeg of this machine writes no H.264';
})();
if (h264Missing) console.warn(`skipped: tests of H.264, since ${h264Missing}`);

/** Encodes a film as H.264 in an MP4 with the program ffmpeg: BT.709, 16 to 235. */
export function h264(film: Frames, options: readonly string[] = ['-qp', '4']): Uint8Array {
  const { width, height, channels, frameRate } = film;
  const pictures = Array.from({ length: frameCount(film) }, (_, f) =>
    toI420(frameAt(film, f), width, height, channels),
  );
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', `${frameRate}`, '-i', '-'];
  const colour = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'];
  const output = ['-c:v', 'libx264', ...options, ...colour, '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', '-'];
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-v', 'error', ...input, ...output], {
    input: Buffer.concat(pictures),
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`ffmpeg: ${stderr}`);
  return new Uint8Array(stdout);
}

/** Returns the byte ranges of a film's packets, in decoding order. */
export async function packetsOf(bytes: Uint8Array): Promise<{ at: number; length: number; time: number }[]> {
  const { MP4 } = await import('mediabunny');
  const input = new Input({ source: new BufferSource(bytes), formats: [WEBM, MP4] });
  const found: { at: number; length: number; time: number }[] = [];
  for await (const { data, timestamp } of new EncodedPacketSink((await input.getPrimaryVideoTrack())!).packets()) {
    const from = found.at(-1);
    const at = Buffer.from(bytes).indexOf(data, from ? from.at + from.length : 0);
    found.push({ at, length: data.length, time: timestamp });
  }
  input.dispose();
  return found;
}
