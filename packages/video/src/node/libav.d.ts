/** Types of the part of libav.js that is used here; its own types describe all builds, and modules do not find them. */
declare module '@libav.js/variant-webm-vp9' {
  export interface LibavFrame {
    data: Uint8Array;
    layout: { offset: number; stride: number }[];
    /** Pixel format, by libav's number for it. */
    format: number;
    width: number;
    height: number;
    crop?: { top: number; bottom: number; left: number; right: number };
    /** Presentation time in units of the time base: low 32 bits; `ptshi` holds the high ones. */
    pts: number;
    ptshi: number;
    time_base_num: number;
    time_base_den: number;
  }
  export interface LibavPacket {
    data: Uint8Array;
    pts: number;
    ptshi: number;
    dts?: number;
    dtshi?: number;
    time_base_num?: number;
    time_base_den?: number;
    /** Flags of the packet; bit 0 is set for a key frame. */
    flags: number;
  }
  export interface Libav {
    readonly AV_PIX_FMT_YUV420P: number;
    readonly AV_PIX_FMT_YUV422P: number;
    readonly AV_PIX_FMT_YUV444P: number;
    readonly AV_PIX_FMT_YUVA420P: number;
    av_log_set_level(level: number): Promise<void>;
    ff_init_decoder(name: string): Promise<[codec: number, context: number, packet: number, frame: number]>;
    ff_decode_multi(
      context: number,
      packet: number,
      frame: number,
      packets: LibavPacket[],
      options: { fin: boolean },
    ): Promise<LibavFrame[]>;
    ff_free_decoder(context: number, packet: number, frame: number): Promise<void>;
    ff_init_encoder(
      name: string,
      options: {
        ctx: Record<string, number>;
        time_base: [number, number];
        options: Record<string, string>;
      },
    ): Promise<[codec: number, context: number, frame: number, packet: number, size: number]>;
    ff_encode_multi(
      context: number,
      frame: number,
      packet: number,
      frames: LibavFrame[],
      isEnd: boolean,
    ): Promise<LibavPacket[]>;
    ff_free_encoder(context: number, frame: number, packet: number): Promise<void>;
  }
  export interface LibavPackage {
    LibAV(options: { noworker: boolean }): Promise<Libav>;
  }
  const libav: LibavPackage;
  export default libav;
}
