import type { Input, InputVideoTrack, VideoSample } from 'mediabunny';
import { platform } from '#platform';
import type { Transfer } from './color.ts';
import { reasonOf, VideoError } from './errors.ts';
import type { FilmInfo, Footage } from './footage.ts';
import type { Material } from './material.ts';
import type { ExternalCodec } from './platform.ts';
import type { Region } from './region.ts';
import { toRgba, type YuvPicture } from './yuv.ts';

/** An opened container with the times, in seconds and ascending, at which its frames are shown. */
interface Container {
  material: Material;
  info: FilmInfo & { codec: string };
  track: InputVideoTrack;
  times: number[];
}

/**
 * Opens an MP4, MOV, WebM or MKV. Nothing is decoded before {@link Footage.pictures} is read.
 *
 * @throws VideoError when the file is no such container, is cut short, or has no video in it.
 */
export async function openContainer(material: Material): Promise<Footage> {
  const container = await readContainer(material);
  return { info: container.info, pictures: (indices, region) => pictures(container, indices, region) };
}

async function readContainer(material: Material): Promise<Container> {
  const { BufferSource, Input, MATROSKA, MP4, QTFF, WEBM } = await import('./mediabunny.ts');
  const source = new BufferSource(await material.bytes());
  const input = new Input({ source, formats: [MP4, QTFF, WEBM, MATROSKA] });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) {
      throw new VideoError(
        `${material.name} holds no video track. If it should, the file is cut short (its index is often at its ` +
          'end): copy or export it again.',
      );
    }
    const times = await presentationTimes(track);
    await checkComplete(material.name, input, times);
    return { material, track, times, info: await describe(material.name, input, track, times) };
  } catch (error) {
    if (error instanceof VideoError) throw error;
    throw new VideoError(
      `${material.name} cannot be read as a video: ${reasonOf(error)} The file may be cut short or damaged: copy ` +
        'or export it again.',
      { cause: error },
    );
  }
}

async function presentationTimes(track: InputVideoTrack): Promise<number[]> {
  const { EncodedPacketSink } = await import('./mediabunny.ts');
  const times: number[] = [];
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true });
  for await (const packet of packets) {
    // An edit list hides frames by giving them times before zero.
    if (packet.timestamp + packet.duration > 1e-9) times.push(packet.timestamp);
  }
  return times.sort((a, b) => a - b);
}

/**
 * A WebM that is cut short reads like a shorter one, but its header still says how long it was. With a second track,
 * sound may be what is longer, so that says nothing.
 */
async function checkComplete(name: string, input: Input, times: readonly number[]): Promise<void> {
  const promised = await input.getDurationFromMetadata();
  const tracks = await input.getTracks();
  if (promised === null || tracks.length > 1) return;
  const count = times.length;
  const end = count > 1 ? times[count - 1] + (times[count - 1] - times[0]) / (count - 1) : (times[0] ?? 0);
  if (count === 0 || end < 0.95 * promised - 0.1) {
    throw new VideoError(
      `${name} is cut short: it says that it lasts ${promised.toFixed(2)} s, but its ${count} frames end at ` +
        `${end.toFixed(2)} s. Copy or export it again.`,
    );
  }
}

async function describe(
  name: string,
  input: Input,
  track: InputVideoTrack,
  times: number[],
): Promise<Container['info']> {
  const codec = await track.getCodec();
  if (!codec)
    throw new VideoError(`${name} holds a video track of an unknown codec; convert it to H.264 or VP9.`);
  if (times.length === 0)
    throw new VideoError(`${name} holds a video track without frames: export it again.`);
  const aspect = await track.getPixelAspectRatio();
  if (aspect.num !== aspect.den) {
    throw new VideoError(
      `${name} has pixels that are not square (${aspect.num}:${aspect.den}); convert it to square pixels first.`,
    );
  }
  const mime = (await input.getFormat()).mimeType;
  const { transfer } = await track.getColorSpace();
  return {
    name,
    format: mime.includes('webm')
      ? 'webm'
      : mime.includes('matroska')
        ? 'mkv'
        : mime.includes('quick')
          ? 'mov'
          : 'mp4',
    codec,
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    stored: { width: await track.getCodedWidth(), height: await track.getCodedHeight() },
    rotation: await track.getRotation(),
    frameCount: times.length,
    ...(times.length > 1 && { frameRate: (times.length - 1) / (times[times.length - 1] - times[0]) }),
    transfer: transferOf(name, transfer),
  };
}

function transferOf(name: string, tag: string | null | undefined): Transfer {
  if (tag === 'linear') return 'linear';
  if (tag === 'iec61966-2-1') return 'srgb';
  if (tag === 'pq' || tag === 'hlg') {
    throw new VideoError(
      `${name} is a high dynamic range video (${tag}); convert it to standard dynamic range.`,
    );
  }
  return 'bt709';
}

async function* pictures(
  container: Container,
  indices: readonly number[],
  region: Region,
): AsyncGenerator<Float32Array> {
  const { info, track } = container;
  const rgba = new Float32Array(region.width * region.height * 4);
  const wanted = new Set(indices);
  const range = { first: indices[0], last: indices[indices.length - 1] };
  let expected = range.first;
  try {
    for await (const { index, picture } of await decoded(container, range)) {
      if (index !== expected) break;
      expected++;
      if (!wanted.has(index)) continue;
      toRgba(await picture(), info.rotation, region, rgba);
      yield rgba;
    }
  } catch (error) {
    if (error instanceof VideoError) throw error;
    throw damaged(info, expected, reasonOf(error), error);
  } finally {
    track.input.dispose();
  }
  if (expected <= range.last) throw damaged(info, expected, 'the decoder returned no picture for it.');
}

function damaged(info: FilmInfo, frame: number, reason: string, cause?: unknown): VideoError {
  return new VideoError(
    `${info.name}: frame ${frame} of ${info.frameCount} cannot be decoded: ${reason} The file is cut short or ` +
      `damaged: copy or export it again, or use only the frames before ${frame}.`,
    { cause },
  );
}

interface Decoded {
  index: number;
  picture(): Promise<YuvPicture>;
}

async function decoded(
  container: Container,
  range: { first: number; last: number },
): Promise<AsyncIterable<Decoded>> {
  await platform.registerCodecs();
  if (await container.track.canDecode()) return decodedByMediabunny(container, range);
  const external = await platform.externalCodec();
  if (external) return decodedBy(external, container, range);
  const { name, codec } = container.info;
  throw new VideoError(`${name}: there is no decoder for its codec ${codec} here. ${platform.codecAdvice}`);
}

async function* decodedByMediabunny(
  { track, times }: Container,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Decoded> {
  const { VideoSampleSink } = await import('./mediabunny.ts');
  // Software decoders give the same pictures on every machine.
  const sink = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' });
  for await (const sample of sink.samples(times[first], times[last + 1] ?? Infinity)) {
    try {
      yield { index: nearest(times, sample.timestamp), picture: () => planesOf(sample) };
    } finally {
      sample.close();
    }
  }
}

/** Index of the time nearest to one that may have been rounded to microseconds on its way. */
function nearest(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
}

async function planesOf(sample: VideoSample): Promise<YuvPicture> {
  // A null format is a picture that only the graphics card can read; it is handed out as RGBA.
  const format = sample.format ?? 'RGBA';
  const options = sample.format ? {} : { format: 'RGBA' as const };
  const bytes = new Uint8Array(sample.allocationSize(options));
  const planes = await sample.copyTo(bytes, options);
  const { matrix, fullRange } = sample.colorSpace;
  const { width, height } = sample.visibleRect;
  return { format, width, height, bytes, planes, matrix, fullRange };
}

async function* decodedBy(
  external: ExternalCodec,
  { material, info }: Container,
  range: { first: number; last: number },
): AsyncGenerator<Decoded> {
  let index = range.first;
  for await (const picture of external.decode(await material.bytes(), range, info.stored)) {
    yield { index: index++, picture: async () => picture };
  }
}
