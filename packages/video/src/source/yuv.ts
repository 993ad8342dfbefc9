import { GradsimError } from '@gradsim/base';

import type { Region } from '../frames/region.ts';
import type { QuarterTurn, StoredPosition } from '../frames/upright.ts';
import { storedPosition } from '../frames/upright.ts';

/** A decoded picture as the decoder returns it: planes of luma and chroma, or interleaved colours. */
export interface YuvPicture {
  /** Pixel format of WebCodecs, such as `I420`, `NV12`, `I444P10`, `RGBA`. */
  format: string;
  width: number;
  height: number;
  bytes: Uint8Array;
  /** Offset of each plane in `bytes` and stride of its rows, in bytes. */
  planes: readonly { offset: number; stride: number }[];
  /** Name of the colour matrix (YUV to RGB), such as `bt709`; null if unspecified. */
  matrix: string | null;
  /** True if 8 bit luma ranges from 0 to 255, false if from 16 to 235; null if unspecified. */
  fullRange: boolean | null;
}

/**
 * Horizontal position of the chroma samples of 4:2:0 and 4:2:2 pictures: at even columns, as in H.264 and VP9, or
 * halfway between two columns.
 */
export type ChromaPlace = 'left' | 'centre';

/**
 * Weights of red and blue in luma by colour matrix (ITU-T H.273, MatrixCoefficients); that of green is the rest to 1.
 */
const lumaWeights: Record<string, readonly [number, number]> = {
  bt709: [0.2126, 0.0722],
  smpte170m: [0.299, 0.114],
  bt470bg: [0.299, 0.114],
  'bt2020-ncl': [0.2627, 0.0593],
};

/**
 * Writes a region of the upright picture as red, green, blue, alpha in [0, 1].
 *
 * Colours are computed here in floating point, not by the decoder, so that Node and every browser give the same values.
 * Chroma of 4:2:0 and 4:2:2 pictures is interpolated linearly: its samples lie halfway between two rows, and
 * horizontally as `chroma` says.
 *
 * @throws GradsimError for a pixel format or matrix that is not known.
 */
export function toRgba(
  picture: YuvPicture,
  rotation: QuarterTurn,
  region: Region,
  into: Float32Array,
  chroma: ChromaPlace = 'left',
): void {
  rgbaReader(picture, rotation, chroma)(region, into);
}

/** Returns a function that does the same for any region of the picture, so that parts of it cost no more than they show. */
export function rgbaReader(
  picture: YuvPicture,
  rotation: QuarterTurn,
  chroma: ChromaPlace = 'left',
  isMirrored = false,
): (region: Region, into: Float32Array) => void {
  const at = storedPosition(rotation, picture.width, picture.height, isMirrored);
  const packed = /^(RGB|BGR)[AX]$/.exec(picture.format);
  return packed ? (region, into) => packedToRgba(picture, at, region, into) : planarReader(picture, at, chroma);
}

function packedToRgba(picture: YuvPicture, at: StoredPosition, region: Region, into: Float32Array): void {
  const { offset, stride } = picture.planes[0];
  const red = picture.format.startsWith('RGB') ? 0 : 2;
  const opaque = picture.format.endsWith('X');
  let o = 0;
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      const column = at.columnAt + x * at.columnByX + y * at.columnByY;
      const row = at.rowAt + x * at.rowByX + y * at.rowByY;
      const i = offset + row * stride + column * 4;
      into[o] = picture.bytes[i + red] / 255;
      into[o + 1] = picture.bytes[i + 1] / 255;
      into[o + 2] = picture.bytes[i + 2 - red] / 255;
      into[o + 3] = opaque ? 1 : picture.bytes[i + 3] / 255;
      o += 4;
    }
  }
}

/**
 * Layout of a pixel format: luma pixels per chroma sample along each axis, bits per value, whether it has an alpha
 * plane, and whether U and V are interleaved in one plane.
 */
interface Sampling {
  across: 1 | 2;
  down: 1 | 2;
  bits: 8 | 10 | 12;
  alpha: boolean;
  interleaved: boolean;
}

function samplingOf(format: string): Sampling {
  if (format === 'NV12') return { across: 2, down: 2, bits: 8, alpha: false, interleaved: true };
  const match = /^I4(20|22|44)(A?)(?:P(10|12))?$/.exec(format);
  if (!match) {
    throw new GradsimError('video/pixels-not-supported', `Pictures in the pixel format ${format} cannot be read.`, {
      hint: 'Convert the video to yuv420p.',
    });
  }
  return {
    across: match[1] === '44' ? 1 : 2,
    down: match[1] === '20' ? 2 : 1,
    bits: match[3] === '10' ? 10 : match[3] === '12' ? 12 : 8,
    alpha: match[2] === 'A',
    interleaved: false,
  };
}

function planarReader(
  picture: YuvPicture,
  at: StoredPosition,
  chroma: ChromaPlace,
): (region: Region, into: Float32Array) => void {
  const planar = planarOf(picture, chroma);
  return (region, into) => planarToRgba(planar, at, region, into);
}

/** Planes of a picture, in values instead of bytes, and what turns them into colours. */
function planarOf(picture: YuvPicture, chroma: ChromaPlace) {
  const { width, height, bytes } = picture;
  const { across, down, bits, alpha, interleaved } = samplingOf(picture.format);
  const unit = bits === 8 ? 1 : 2;
  const [luma, u, v, last] = picture.planes.map((p) => ({ offset: p.offset / unit, stride: p.stride / unit }));
  return {
    samples: bits === 8 ? bytes : new Uint16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 2)),
    luma,
    u,
    v: interleaved ? { offset: u.offset + 1, stride: u.stride } : v,
    alpha: alpha ? last : undefined,
    alphaScale: 1 / ((1 << bits) - 1),
    columns: chromaTaps(width, across, chroma === 'left' ? 0 : 0.25, interleaved ? 2 : 1),
    rows: chromaTaps(height, down, 0.25, 1),
    colours: coefficients(picture, bits),
  };
}

/** All that the loop uses is local and, by `| 0`, a whole number: otherwise it takes nearly twice as long. */
function planarToRgba(
  planar: ReturnType<typeof planarOf>,
  at: StoredPosition,
  region: Region,
  into: Float32Array,
): void {
  const { samples, luma, u, v, alpha, alphaScale, rows } = planar;
  const { before, after, weight } = planar.columns;
  const { yScale, yZero, cScale, cZero, rv, gu, gv, bu } = planar.colours;
  // Along stored rows: those are columns of a picture that was turned by a quarter.
  const isTurned = at.rowByX !== 0;
  const [lines, length] = isTurned ? [region.width, region.height] : [region.height, region.width];
  const columnStep = (isTurned ? at.columnByY : at.columnByX) | 0;
  const intoStep = (isTurned ? 4 * region.width : 4) | 0;
  for (let line = 0; line < lines; line++) {
    const [x, y] = isTurned ? [region.x + line, region.y] : [region.x, region.y + line];
    const row = at.rowAt + x * at.rowByX + y * at.rowByY;
    const y0 = (luma.offset + row * luma.stride) | 0;
    const a0 = alpha ? alpha.offset + row * alpha.stride : 0;
    const [r0, r1, wr] = [rows.before[row], rows.after[row], rows.weight[row]];
    const [u0, u1] = [(u.offset + r0 * u.stride) | 0, (u.offset + r1 * u.stride) | 0];
    const [v0, v1] = [(v.offset + r0 * v.stride) | 0, (v.offset + r1 * v.stride) | 0];
    let column = (at.columnAt + x * at.columnByX + y * at.columnByY) | 0;
    let o = (isTurned ? 4 * line : 4 * line * region.width) | 0;
    for (let k = 0; k < length; k++, column = (column + columnStep) | 0, o = (o + intoStep) | 0) {
      const c0 = before[column];
      const c1 = after[column];
      const wc = weight[column];
      const ua = samples[u0 + c0] + wc * (samples[u0 + c1] - samples[u0 + c0]);
      const ub = samples[u1 + c0] + wc * (samples[u1 + c1] - samples[u1 + c0]);
      const va = samples[v0 + c0] + wc * (samples[v0 + c1] - samples[v0 + c0]);
      const vb = samples[v1 + c0] + wc * (samples[v1 + c1] - samples[v1 + c0]);
      const Y = (samples[y0 + column] - yZero) * yScale;
      const U = (ua + wr * (ub - ua) - cZero) * cScale;
      const V = (va + wr * (vb - va) - cZero) * cScale;
      into[o] = clamp(Y + rv * V);
      into[o + 1] = clamp(Y + gu * U + gv * V);
      into[o + 2] = clamp(Y + bu * U);
      into[o + 3] = alpha ? samples[a0 + column] * alphaScale : 1;
    }
  }
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

/**
 * Returns, for each luma position along one axis, the offsets of the two chroma samples around it and the weight of the
 * second.
 */
function chromaTaps(length: number, ratio: 1 | 2, shift: number, step: number) {
  const last = Math.ceil(length / ratio) - 1;
  const before = new Int32Array(length);
  const after = new Int32Array(length);
  const weight = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const position = ratio === 1 ? i : Math.min(Math.max(i / 2 - shift, 0), last);
    const k = Math.floor(position);
    before[i] = k * step;
    after[i] = Math.min(k + 1, last) * step;
    weight[i] = position - k;
  }
  return { before, after, weight };
}

/**
 * Returns the coefficients from stored values to R = Y + rv V, G = Y + gu U + gv V, B = Y + bu U, with Y in [0, 1] and
 * U, V in [-1/2, 1/2].
 */
function coefficients(picture: YuvPicture, bits: number) {
  // Files that do not specify it mostly follow the standard for their size.
  const matrix = picture.matrix ?? (Math.max(picture.width, picture.height) >= 1280 ? 'bt709' : 'smpte170m');
  const weights = lumaWeights[matrix];
  if (!weights) {
    throw new GradsimError('video/pixels-not-supported', `Pictures with the colour matrix ${matrix} cannot be read.`, {
      hint: 'Convert the video to BT.709.',
    });
  }
  const [kr, kb] = weights;
  const kg = 1 - kr - kb;
  const step = 1 << (bits - 8);
  const full = (1 << bits) - 1;
  return {
    yZero: picture.fullRange ? 0 : 16 * step,
    yScale: picture.fullRange ? 1 / full : 1 / (219 * step),
    cZero: 128 * step,
    cScale: picture.fullRange ? 1 / full : 1 / (224 * step),
    rv: 2 * (1 - kr),
    gu: (-2 * (1 - kb) * kb) / kg,
    gv: (-2 * (1 - kr) * kr) / kg,
    bu: 2 * (1 - kb),
  };
}
