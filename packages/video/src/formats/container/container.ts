import { GradsimError, isGradsimError } from '@gradsim/base';
import type { Input, InputVideoTrack, VideoSample } from 'mediabunny';
import { damageReason } from '../../errors.ts';
import type { Transfer } from '../../frames/color.ts';
import type { FilmInfo } from '../../source/footage.ts';
import { stampsOf } from '../../source/stamps.ts';
import type { YuvPicture } from '../../source/yuv.ts';
import { type DisplayTurn, displaysOf } from './display-matrix.ts';
import { editEnds } from './edit-list.ts';
import { checkSizes } from './sizes.ts';

/** Metadata of a video. */
export interface VideoInfo extends FilmInfo {
  readonly codec: string;
  readonly track: { readonly number: number; readonly of: number };
}

/** An opened container: metadata, video track, and the presentation times of its frames, s, ascending. */
export interface Container {
  readonly info: VideoInfo;
  readonly track: InputVideoTrack;
  readonly times: number[];
}

/** A picture with its frame number in presentation order. */
export interface NumberedPicture {
  readonly index: number;
  picture(): Promise<YuvPicture>;
}

/**
 * Opens an MP4, MOV, WebM or MKV file. Nothing is decoded before {@link decodePictures}.
 *
 * @param wanted number of the video track, counted from 1. Default: the track that players take as the main one.
 * @param onProgress called after every thousand frames found in the file.
 * @throws GradsimError when the file is no such container, is truncated, or has no video track or not this one.
 */
export async function openContainer(
  name: string,
  bytes: Uint8Array,
  wanted?: number,
  onProgress: () => void = () => {},
): Promise<Container> {
  checkSizes(name, bytes);
  const { BufferSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import('./mediabunny.ts');
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF, WEBM, MATROSKA] });
  try {
    const tracks = await input.getVideoTracks();
    const main = await input.getPrimaryVideoTrack();
    if (!main) {
      throw new GradsimError(
        'video/no-video-track',
        `${name} holds no video track. If it should, the file is cut short (its index is often at its end).`,
        { hint: 'Copy or export it again.' },
      );
    }
    const number = wanted ?? tracks.findIndex(({ id }) => id === main.id) + 1;
    const track = tracks[number - 1];
    if (!track) {
      throw new GradsimError(
        'video/no-such-track',
        `${name} has ${tracks.length === 1 ? '1 video track' : `${tracks.length} video tracks`}, so there is no track ${number}.`,
        { field: name },
      );
    }
    const end = editEnds(name, bytes)[number - 1] ?? Number.POSITIVE_INFINITY;
    const times = (await presentationTimes(track, onProgress)).filter((time) => time < end - 1e-6);
    await checkComplete(name, input, times, end);
    const info = await describe(name, input, track, times, displaysOf(name, bytes)[number - 1]);
    return { track, times, info: { ...info, track: { number, of: tracks.length } } };
  } catch (error) {
    input.dispose();
    if (isGradsimError(error)) throw error;
    throw new GradsimError(
      'video/file-damaged',
      `${name} cannot be read as a video: ${damageReason(error)} The file may be cut short or damaged.`,
      { hint: 'Copy or export it again.', cause: error },
    );
  }
}

/** Releases the file and its buffers; further calls do nothing. */
export function closeContainer({ track }: Container): void {
  track.input.dispose();
}

/** Returns whether mediabunny has a decoder for the track on this platform. */
export async function canDecode({ track }: Container): Promise<boolean> {
  return track.canDecode();
}

async function presentationTimes(track: InputVideoTrack, onProgress: () => void): Promise<number[]> {
  const { EncodedPacketSink } = await import('./mediabunny.ts');
  const times: number[] = [];
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true });
  for await (const packet of packets) {
    // An edit list hides frames by giving them times before zero.
    if (packet.timestamp + packet.duration > 1e-9) times.push(packet.timestamp);
    if (times.length % 1000 === 0) onProgress();
  }
  return times.sort((a, b) => a - b);
}

/**
 * Refuses a truncated WebM, which otherwise reads like a shorter film, by the duration in its header. A file with a
 * second track is not checked, since that may be sound that lasts longer.
 *
 * @param shown time at which the edit list ends, s.
 * @throws GradsimError when frames are missing at the end.
 */
async function checkComplete(name: string, input: Input, times: readonly number[], shown: number): Promise<void> {
  const whole = await input.getDurationFromMetadata();
  const promised = whole === null ? null : Math.min(whole, shown);
  const tracks = await input.getTracks();
  if (promised === null || tracks.length > 1) return;
  const count = times.length;
  const end = count > 1 ? times[count - 1] + (times[count - 1] - times[0]) / (count - 1) : (times[0] ?? 0);
  if (count === 0 || end < 0.95 * promised - 0.1) {
    throw new GradsimError(
      'video/file-cut-short',
      `${name} is cut short: it says that it lasts ${promised.toFixed(2)} s, but its ${count} frames end at ${end.toFixed(2)} s.`,
      { field: name, hint: 'Copy or export it again.' },
    );
  }
}

async function describe(
  name: string,
  input: Input,
  track: InputVideoTrack,
  times: number[],
  display?: DisplayTurn,
): Promise<Omit<VideoInfo, 'track'>> {
  const codec = await track.getCodec();
  if (!codec)
    throw new GradsimError('video/unknown-codec', `${name} holds a video track of an unknown codec.`, {
      hint: 'Convert it to H.264 or VP9.',
    });
  if (times.length === 0)
    throw new GradsimError('video/file-damaged', `${name} holds a video track without frames.`, {
      hint: 'Export it again.',
    });
  const aspect = await track.getPixelAspectRatio();
  refuseOblong(name, `${aspect.num}:${aspect.den}`);
  const mime = (await input.getFormat()).mimeType;
  const { transfer } = await track.getColorSpace();
  const format = formatOf(mime);
  const { rotation, isMirrored } = display ?? { rotation: await track.getRotation(), isMirrored: false };
  const stored = { width: await track.getCodedWidth(), height: await track.getCodedHeight() };
  const isOnSide = rotation % 180 !== 0;
  const resolution = 1 / (await track.getTimeResolution());
  return {
    name,
    format,
    codec,
    width: isOnSide ? stored.height : stored.width,
    height: isOnSide ? stored.width : stored.height,
    stored,
    rotation,
    ...(isMirrored && { isMirrored }),
    frameCount: times.length,
    ...(times.length > 1 && {
      ...stampsOf(times, resolution, meanRate(times, format)),
      resolution,
      steps: stepsOf(times),
    }),
    transfer: transferOf(name, transfer),
  };
}

function formatOf(mime: string): 'webm' | 'mkv' | 'mov' | 'mp4' {
  if (mime.includes('webm')) return 'webm';
  if (mime.includes('matroska')) return 'mkv';
  return mime.includes('quick') ? 'mov' : 'mp4';
}

/**
 * Returns the mean frame rate, frames per second. WebM and Matroska round times to milliseconds: if an integer rate
 * fits the film's duration to a millisecond, that is returned.
 */
function meanRate(times: readonly number[], format: string): number {
  const [count, span] = [times.length - 1, times[times.length - 1] - times[0]];
  const whole = Math.round(count / span);
  const isRounded = format === 'webm' || format === 'mkv';
  return isRounded && whole > 0 && Math.abs(count / whole - span) <= 1e-3 ? whole : count / span;
}

export function stepsOf(times: readonly number[]): { shortest: number; longest: number } {
  let [shortest, longest] = [Number.POSITIVE_INFINITY, 0];
  for (let k = 1; k < times.length; k++) {
    shortest = Math.min(shortest, times[k] - times[k - 1]);
    longest = Math.max(longest, times[k] - times[k - 1]);
  }
  return { shortest, longest };
}

function transferOf(name: string, tag: string | null | undefined): Transfer {
  if (tag === 'linear') return 'linear';
  if (tag === 'iec61966-2-1') return 'srgb';
  if (tag === 'pq' || tag === 'hlg') refuseHighRange(name, tag);
  return 'bt709';
}

/**
 * @param shape width of a pixel to its height, `16:15`; numbers that are 0 if it is unknown.
 * @throws GradsimError for pixels that are not square.
 */
export function refuseOblong(name: string, shape: string): void {
  const [across, down] = shape.split(':').map(Number);
  if (across === down || !(across > 0) || !(down > 0)) return;
  throw new GradsimError('video/format-not-supported', `${name} has pixels that are not square (${shape}).`, {
    field: name,
    hint: "Make them square, then use that film: `ffmpeg -i FILE -vf 'scale=iw*sar:ih,setsar=1' -c:v libx264 -crf 12 square.mp4`",
  });
}

/** @throws GradsimError for a film of high dynamic range, with the command that maps its tones. */
export function refuseHighRange(name: string, transfer: string): never {
  throw new GradsimError('video/format-not-supported', `${name} is a high dynamic range video (${transfer}).`, {
    field: name,
    hint: `Map its tones to standard range, then use that film: \`ffmpeg -i FILE -vf '${TO_STANDARD_RANGE}' -c:v libx264 -crf 12 standard.mp4\``,
  });
}
/** Filters of ffmpeg that map tones of HLG and PQ to BT.709, white of 203 cd/m2 (ITU-R BT.2408) to white. */
const TO_STANDARD_RANGE =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius,zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

/**
 * Decodes frames `first` to `last` (inclusive) in presentation order, as stored: not rotated. Needs {@link canDecode}.
 *
 * Read each picture before requesting the next. Errors are thrown where they occur.
 */
export async function* decodePictures(
  { track, times, info: { name } }: Container,
  { first, last }: { first: number; last: number },
): AsyncGenerator<NumberedPicture> {
  const { VideoSampleSink } = await import('./mediabunny.ts');
  // Software decoders give the same pictures on every machine.
  const sink = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' });
  const { matrix } = await track.getColorSpace();
  for await (const sample of sink.samples(times[first], times[last + 1] ?? Infinity)) {
    try {
      const { num, den } = sample.pixelAspectRatio;
      refuseOblong(name, `${num}:${den}`);
      yield { index: frameAtTime(times, sample.timestamp), picture: () => planesOf(sample, matrix) };
    } finally {
      sample.close();
    }
  }
}

/** Returns the index of the frame with the nearest presentation time, as decoders may round times to microseconds. */
export function frameAtTime(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
}

/**
 * Planes of a decoded picture.
 * @param stated colour matrix that the file states, if any. Decoders name one for every picture: where the file states
 * none, that of a browser is a guess, which differs from what other decoders take.
 */
async function planesOf(sample: VideoSample, stated: string | null | undefined): Promise<YuvPicture> {
  // A null format is a picture in GPU memory; it is converted to RGBA.
  const format = sample.format ?? 'RGBA';
  const options = sample.format ? {} : { format: 'RGBA' as const };
  const bytes = new Uint8Array(sample.allocationSize(options));
  const planes = await sample.copyTo(bytes, options);
  const { fullRange } = sample.colorSpace;
  const { width, height } = sample.visibleRect;
  return { format, width, height, bytes, planes, matrix: stated ?? null, fullRange };
}
