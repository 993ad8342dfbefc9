/** Types of the part of gifenc that is used here; the package has none of its own. */
declare module 'gifenc' {
  type Palette = number[][];
  interface Encoder {
    writeFrame(
      indices: Uint8Array,
      width: number,
      height: number,
      options: { palette: Palette; delay: number; repeat?: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  interface Gifenc {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, maximum: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  }
  export const GIFEncoder: Gifenc['GIFEncoder'] | undefined;
  export const quantize: Gifenc['quantize'];
  export const applyPalette: Gifenc['applyPalette'];
  const gifenc: Gifenc;
  export default gifenc;
}
