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
import type { Draw } from '../draw.ts';
import type { FilmFile } from './film-file.ts';

/** Copies the packets of a WebM film into an MP4 file, with ways to make it declare wrong counts. */
export async function remuxToMp4(
  webm: Uint8Array,
  isFragmented: boolean,
): Promise<{ bytes: Uint8Array; counts: FilmFile['counts'] }> {
  const input = new Input({ source: new BufferSource(webm), formats: [WEBM] });
  const track = await input.getPrimaryVideoTrack();
  const decoderConfig = await track?.getDecoderConfig();
  if (!track || !decoderConfig) throw new Error('The film holds no video.');
  const target = new BufferTarget();
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: isFragmented ? 'fragmented' : 'in-memory' }),
    target,
  });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source, {});
  await output.start();
  for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig });
  await output.finalize();
  input.dispose();
  return {
    bytes: new Uint8Array(target.buffer!),
    counts: (isFragmented ? ['trun'] : ['stts', 'stsz', 'stco', 'stsc']).map(countOf),
  };
}

/** Change that makes a table of an MP4 file declare another number of entries. */
function countOf(table: string) {
  return {
    about: `another count in ${table}`,
    apply: (bytes: Uint8Array, random: Draw): Uint8Array => {
      const changed = bytes.slice();
      const at = Buffer.from(changed).indexOf(table, 0, 'latin1') + (table === 'stsz' ? 12 : 8);
      const view = new DataView(changed.buffer);
      const count = view.getUint32(at);
      view.setUint32(at, random.pick([0, count - 1, count + 1, 1e6, 0xffffffff]));
      return changed;
    },
  };
}
