/// <reference path="./libav.d.ts" />
import { defect, GradsimError } from '@gradsim/base';
import type { Libav, LibavFrame, LibavPackage, LibavPacket } from '@libav.js/variant-webm-vp9';
import type { EncodedPacket, VideoSample } from 'mediabunny';
import { PacketError } from '../formats/container/damage.ts';

/** Log level of libav that prints fatal errors only; other errors are thrown. */
const FATAL_LOG_LEVEL = 8;
const DECODER_NAMES = { vp8: 'libvpx', vp9: 'libvpx-vp9' } as const;
type Codec = keyof typeof DECODER_NAMES;
const isKnown = (codec: string): codec is Codec => codec in DECODER_NAMES;

/** Splits a time in microseconds into the low and high 32 bit words of an integer. */
const splitTime = (time: number): { pts: number; ptshi: number } => ({
  pts: time | 0,
  ptshi: Math.floor(time / 2 ** 32),
});
const timeOf = ({ pts, ptshi }: { pts: number; ptshi: number }): number => (ptshi * 2 ** 32 + (pts >>> 0)) / 1e6;

/**
 * Lets mediabunny read and write VP8 and VP9 with libvpx, which libav.js has compiled to WebAssembly.
 *
 * @param onDamage called with the first packet that cannot be decoded. Decoding stops there without an error:
 * mediabunny reads ahead, and an error would discard earlier pictures too.
 * @returns a function that compiles libvpx, unless that has begun; else the first packet waits for it.
 */
export async function registerLibvpx(
  libav: LibavPackage,
  onDamage: (error: PacketError) => void,
): Promise<() => Promise<unknown>> {
  const { CustomVideoDecoder, CustomVideoEncoder, EncodedPacket, registerDecoder, registerEncoder, VideoSample } =
    await import('mediabunny');
  let loaded: Promise<Libav> | undefined;
  const load = (): Promise<Libav> => {
    loaded ??= (async () => {
      const instance = await libav.LibAV({ noworker: true });
      await instance.av_log_set_level(FATAL_LOG_LEVEL);
      return instance;
    })();
    return loaded;
  };

  class LibvpxDecoder extends CustomVideoDecoder {
    #libav!: Libav;
    #handles?: [context: number, packet: number, frame: number];
    #isDamaged = false;
    static override supports(codec: string): boolean {
      return isKnown(codec);
    }
    async init(): Promise<void> {
      this.#libav = await load();
      const [, context, packet, frame] = await this.#libav.ff_init_decoder(DECODER_NAMES[this.codec as Codec]);
      this.#handles = [context, packet, frame];
    }
    async decode(packet: EncodedPacket): Promise<void> {
      if (this.#isDamaged) return;
      const { data, microsecondTimestamp, type } = packet;
      try {
        await this.#run([{ data, ...splitTime(microsecondTimestamp), flags: type === 'key' ? 1 : 0 }], false);
      } catch (error) {
        this.#isDamaged = true;
        onDamage(new PacketError(packet.timestamp, error));
      }
    }
    async flush(): Promise<void> {
      if (!this.#isDamaged) await this.#run([], true);
      // After its end a decoder accepts nothing more; further packets need a new one.
      await this.close();
      await this.init();
    }
    async close(): Promise<void> {
      if (this.#handles) await this.#libav.ff_free_decoder(...this.#handles);
      this.#handles = undefined;
    }
    async #run(packets: LibavPacket[], isEnd: boolean): Promise<void> {
      const frames = await this.#libav.ff_decode_multi(...this.#handles!, packets, { fin: isEnd });
      for (const frame of frames) this.onSample(sampleOf(this.#libav, frame, VideoSample, this.config.colorSpace));
    }
  }

  class LibvpxEncoder extends CustomVideoEncoder {
    #libav!: Libav;
    #handles?: [context: number, frame: number, packet: number];
    #isFirst = true;
    /** Durations of the pictures that are encoded, s, in the order of their packets: none waits for another. */
    readonly #durations: number[] = [];
    /** True if chroma has the full resolution of luma (VP9 profile 1). */
    #isFull = false;
    static override supports(codec: string, config: VideoEncoderConfig): boolean {
      return isKnown(codec) && config.alpha !== 'keep';
    }
    async init(): Promise<void> {
      this.#libav = await load();
    }
    async encode(sample: VideoSample, options: VideoEncoderEncodeOptions): Promise<void> {
      const { width, height } = this.config;
      const { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV444P } = this.#libav;
      this.#isFull = sample.format === 'I444';
      if (sample.format !== 'I420' && !this.#isFull)
        throw defect(`The VP9 encoder got a picture in ${sample.format}, neither I420 nor I444`);
      const format = this.#isFull ? AV_PIX_FMT_YUV444P : AV_PIX_FMT_YUV420P;
      this.#handles ??= await this.#open(format, options.vp9?.quantizer ?? undefined);
      const data = new Uint8Array(sample.allocationSize());
      const layout = await sample.copyTo(data);
      this.#durations.push(sample.duration);
      const time = { ...splitTime(sample.microsecondTimestamp), time_base_num: 1, time_base_den: 1e6 };
      await this.#run([{ data, layout, format, width, height, ...time }], false);
    }
    async flush(): Promise<void> {
      if (this.#handles) await this.#run([], true);
    }
    async close(): Promise<void> {
      if (this.#handles) await this.#libav.ff_free_encoder(...this.#handles);
      this.#handles = undefined;
    }
    async #open(format: number, quantizer: number | undefined): Promise<[number, number, number]> {
      const { bitrate = 0, height, width } = this.config;
      // A single allowed quantizer is constant quality; otherwise a bitrate would be targeted.
      const isConstant = quantizer !== undefined;
      const quality: Record<string, number> = isConstant
        ? { bit_rate: 0, qmin: quantizer, qmax: quantizer }
        : { bit_rate: bitrate };
      const [, context, frame, packet] = await this.#libav.ff_init_encoder(DECODER_NAMES[this.codec as Codec], {
        ctx: { width, height, pix_fmt: format, gop_size: 48, ...quality },
        time_base: [1, 1e6],
        options: {
          // Five times as fast as careful search in WebAssembly, of the same quality, and several times as large.
          deadline: 'realtime',
          'cpu-used': '5',
          'lag-in-frames': '0',
          ...(isConstant && { crf: String(quantizer) }),
        },
      });
      return [context, frame, packet];
    }
    async #run(frames: LibavFrame[], isEnd: boolean): Promise<void> {
      for (const packet of await this.#libav.ff_encode_multi(...this.#handles!, frames, isEnd)) {
        const kind = packet.flags & 1 ? 'key' : 'delta';
        const meta = this.#isFirst ? { decoderConfig: this.#decoderConfig() } : {};
        this.#isFirst = false;
        this.onPacket(new EncodedPacket(packet.data, kind, timeOf(packet), this.#durations.shift() ?? 0), meta);
      }
    }
    #decoderConfig(): VideoDecoderConfig {
      const { height: codedHeight, width: codedWidth } = this.config;
      // 8 bits; level 6.2 covers all sizes.
      const codec = this.codec === 'vp9' ? `vp09.0${this.#isFull ? 1 : 0}.62.08` : 'vp8';
      const colorSpace = {
        primaries: 'bt709',
        transfer: 'bt709',
        matrix: 'bt709',
        fullRange: false,
      } as const;
      return { codec, codedWidth, codedHeight, colorSpace };
    }
  }
  registerDecoder(LibvpxDecoder);
  registerEncoder(LibvpxEncoder);
  return load;
}

function sampleOf(
  libav: Libav,
  { data, layout, format, width, height, crop, ...time }: LibavFrame,
  Sample: typeof VideoSample,
  colorSpace: VideoColorSpaceInit | undefined,
): VideoSample {
  const formats = new Map([
    [libav.AV_PIX_FMT_YUV420P, 'I420'],
    [libav.AV_PIX_FMT_YUV422P, 'I422'],
    [libav.AV_PIX_FMT_YUV444P, 'I444'],
    [libav.AV_PIX_FMT_YUVA420P, 'I420A'],
  ] as const);
  const name = formats.get(format);
  if (!name)
    throw new GradsimError('video/pixel-format', `Pictures in libav's pixel format ${format} cannot be read.`, {
      hint: 'Convert the video to yuv420p.',
    });
  const { top = 0, bottom = 0, left = 0, right = 0 } = crop ?? {};
  return new Sample(data, {
    format: name,
    codedWidth: width,
    codedHeight: height,
    layout: layout.map(({ offset, stride }) => ({ offset, stride })),
    visibleRect: { left, top, width: width - left - right, height: height - top - bottom },
    timestamp: timeOf(time),
    duration: 0,
    ...(colorSpace && { colorSpace }),
  });
}
