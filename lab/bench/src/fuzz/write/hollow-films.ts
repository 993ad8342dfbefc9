import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

/** Number of frames and frame rate, frames per second, of one video track. */
export interface HollowTrack {
  readonly frames: number;
  readonly frameRate: number;
}

/** Size in px that a film without pictures declares. */
export const HOLLOW = { width: 16, height: 12 } as const;

/**
 * Writes a WebM file with AV1 tracks of empty packets, as input for a fake ffmpeg: gradsim decodes AV1 only with ffmpeg
 * here.
 */
export async function hollowFilm(tracks: readonly HollowTrack[]): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const sources = tracks.map(({ frameRate }) => {
    const source = new EncodedVideoPacketSource('av1');
    output.addVideoTrack(source, { frameRate });
    return source;
  });
  await output.start();
  const decoderConfig = { codec: 'av01.0.04M.08', codedWidth: HOLLOW.width, codedHeight: HOLLOW.height };
  // Packets go in the order of their times.
  const packets = tracks
    .flatMap(({ frames, frameRate }, t) => Array.from({ length: frames }, (_, f) => ({ t, f, frameRate })))
    .sort((a, b) => a.f / a.frameRate - b.f / b.frameRate);
  for (const { t, f, frameRate } of packets) {
    const kind = f === 0 ? 'key' : 'delta';
    const packet = new EncodedPacket(new Uint8Array(16), kind, f / frameRate, 1 / frameRate);
    await sources[t].add(packet, { decoderConfig });
  }
  for (const source of sources) source.close();
  await output.finalize();
  return new Uint8Array(target.buffer!);
}
