import { describeValue, GradsimError } from '@gradsim/base';
import { platform } from '#platform';
import { reasonOf } from '../errors.ts';
import { type Frames, frameAt, frameCount, timeOf } from '../frames/frames.ts';
import { toI420, toI444 } from './i420.ts';

/** Options of encoding a video. */
export interface VideoOptions {
  /**
   * Quantiser for constant quality, on the scale of the codec: 0 is best, the worst is 51 for H.264 and 63 for VP9. If
   * an encoder has no constant quality (some browsers), a bitrate of 2 bits per pixel is used instead. Default 10,
   * visually lossless.
   */
  quantizer?: number;
  /**
   * Chroma resolution: `half` (4:2:0), which every player reads, or `full` (4:4:4), for WebM in Node only. Default
   * `half`.
   */
  chroma?: 'half' | 'full';
}

const codecs = { mp4: 'avc', webm: 'vp9' } as const;

/**
 * Encodes a film as MP4 (H.264) or WebM (VP9), and returns the bytes of the file. Compression is lossy, and by default
 * colour has half the resolution of brightness (4:2:0); colours are BT.709. Alpha is not written.
 *
 * @throws GradsimError when width or height is odd, or there is no encoder.
 */
export async function encodeVideo(
  frames: Frames,
  format: keyof typeof codecs,
  { quantizer = 10, chroma = 'half' }: VideoOptions = {},
): Promise<Uint8Array> {
  const { width, height, frameRate } = frames;
  const coarsest = format === 'mp4' ? 51 : 63;
  if (!Number.isInteger(quantizer) || quantizer < 0 || quantizer > coarsest)
    throw new GradsimError(
      'video/option-out-of-range',
      `quantizer is ${describeValue(quantizer)}; for ${format} it is a whole number from 0 to ${coarsest}.`,
      { field: 'quantizer' },
    );
  if ((chroma !== 'half' && chroma !== 'full') || (chroma === 'full' && format === 'mp4'))
    throw new GradsimError('video/unknown-choice', `chroma is ${describeValue(chroma)}.`, {
      field: 'chroma',
      hint: "It must be 'half', or for webm 'full'.",
    });
  if (width % 2 || height % 2) {
    throw new GradsimError(
      'video/odd-size',
      `A film of ${width} x ${height} pixels cannot be written as ${format}: width and height must be even.`,
      { hint: 'Crop or resize it, or write GIF or PNG.' },
    );
  }
  const media = await import('../formats/container/mediabunny.ts');
  await platform.registerCodecs();
  const quality = new media.Quality({ quantizer, bitrate: Math.ceil(2 * width * height * frameRate) });
  const codec = codecs[format];
  if (!(await media.canEncodeVideo(codec, { width, height, quality }))) {
    throw new GradsimError(
      'video/no-encoder',
      `There is no encoder for ${codec} at ${width} x ${height} pixels here. ${platform.encoderAdvice(codec)}`,
    );
  }
  const target = new media.BufferTarget();
  const container = format === 'mp4' ? new media.Mp4OutputFormat() : new media.WebMOutputFormat();
  const output = new media.Output({ format: container, target });
  const source = new media.VideoSampleSource({ codec, quality, hardwareAcceleration: 'prefer-software' });
  // A track of one rate would round other times to it.
  output.addVideoTrack(source, frames.times ? {} : { frameRate });
  try {
    await output.start();
    const count = frameCount(frames);
    for (let f = 0; f < count; f++) {
      const planes = chroma === 'half' ? toI420 : toI444;
      const sample = new media.VideoSample(planes(frameAt(frames, f), width, height, frames.channels), {
        format: chroma === 'half' ? 'I420' : 'I444',
        codedWidth: width,
        codedHeight: height,
        timestamp: timeOf(frames, f),
        duration: f + 1 < count ? timeOf(frames, f + 1) - timeOf(frames, f) : 1 / frameRate,
        colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
      });
      await source.add(sample);
      sample.close();
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw new GradsimError('video/not-encoded', `The film cannot be written as ${format}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return new Uint8Array(target.buffer!);
}
