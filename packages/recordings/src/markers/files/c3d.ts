import { unitOf } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import type { MarkerRecording } from '../recording.ts';

/*
 * Why a reader of our own: there is no kept one on npm. Analogue channels and events are not read. Source of the format: the
 * C3D file format user guide, Motion Lab Systems.
 */

/** Length of a block, bytes. */
const BLOCK_BYTES = 512;
/** Second byte of every C3D file. */
const C3D_KEY = 0x50;
/** Processors, plus 83: of DEC numbers of other order and exponent. */
const [INTEL, DEC, MIPS] = [84, 85, 86];

/** True for the bytes of a C3D file. */
export const isC3d = (bytes: Uint8Array): boolean =>
  bytes.length >= 2 * BLOCK_BYTES && bytes[1] === C3D_KEY && bytes[0] >= 2;

/** Numbers and texts of a C3D file, in its order of bytes. */
class Reader {
  readonly #view: DataView;
  readonly #isBig: boolean;
  readonly #isDec: boolean;

  constructor(bytes: Uint8Array, processor: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isBig = processor === MIPS;
    this.#isDec = processor === DEC;
  }
  get length(): number {
    return this.#view.byteLength;
  }
  byte = (at: number): number => this.#view.getUint8(at);
  short = (at: number): number => this.#view.getInt16(at, !this.#isBig);
  word = (at: number): number => this.#view.getUint16(at, !this.#isBig);
  float(at: number): number {
    if (!this.#isDec) return this.#view.getFloat32(at, !this.#isBig);
    // DEC's F_floating: words the other way round, and an exponent of 2 more.
    const bits = ((this.#view.getUint16(at, true) << 16) | this.#view.getUint16(at + 2, true)) >>> 0;
    if (bits === 0) return 0;
    const own = new DataView(new ArrayBuffer(4));
    own.setUint32(0, bits);
    return own.getFloat32(0) / 4;
  }
  text = (at: number, length: number): string =>
    String.fromCharCode(...Array.from({ length }, (_, k) => this.byte(at + k)))
      .replace(/\0.*$/s, '')
      .trim();
}

/** A parameter: its texts, or its numbers. */
interface Parameter {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/**
 * Reads the markers of a C3D file. A marker whose residual is negative was not seen.
 * @throws for a file that is cut short, and for one without markers, rate, or a unit of length.
 */
export function readC3d(bytes: Uint8Array, name: string): MarkerRecording {
  try {
    return recordingOf(bytes, name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GradsimError(
      'markers/file-damaged',
      `${name} cannot be read as a C3D file: it ends before what it says it has.`,
      {
        hint: 'Copy or export it again.',
      },
    );
  }
}

function recordingOf(bytes: Uint8Array, name: string): MarkerRecording {
  const begin = BLOCK_BYTES * (bytes[0] - 1);
  const reader = new Reader(bytes, bytes[begin + 3] ?? INTEL);
  const parameters = parametersOf(reader, begin);
  const number = (key: string): number | undefined => parameters.get(key)?.numbers[0];
  const count = number('POINT:USED') ?? reader.word(2);
  const rate = number('POINT:RATE') ?? reader.float(20);
  const scale = number('POINT:SCALE') ?? reader.float(12);
  const [first, last] = [reader.word(6), reader.word(8)];
  const written = number('POINT:FRAMES');
  // A count of frames that 16 bits do not hold is unsigned there.
  const frames = written === undefined ? last - first + 1 : written < 0 ? written + 65_536 : written;
  const unitText = parameters.get('POINT:UNITS')?.texts[0] ?? '';
  const unit = unitOf(unitText);
  const refuse = (what: string): never => {
    throw new GradsimError('markers/file-damaged', `${name} ${what}.`);
  };
  if (!(count > 0 && frames > 0)) refuse('is a C3D file without markers');
  if (!(rate > 0 && Number.isFinite(rate))) refuse('is a C3D file that does not say how many frames a second it has');
  if (unit?.quantity !== 'length')
    throw new GradsimError(
      'tables/unit-unknown',
      `${name} has positions in "${unitText}", which is no unit of length.`,
      {
        hint: 'Export it in mm or m.',
      },
    );
  const labels = ['', '2', '3', '4'].flatMap((more) => parameters.get(`POINT:LABELS${more}`)?.texts ?? []);
  const isReal = scale < 0;
  const size = isReal ? 4 : 2;
  const analogue = reader.word(4) * size;
  const stride = count * 4 * size + analogue;
  const start = BLOCK_BYTES * ((number('POINT:DATA_START') ?? reader.word(16)) - 1);
  if (start + frames * stride > reader.length) throw new RangeError();
  const positions = new Float64Array(frames * count * 3).fill(Number.NaN);
  for (let f = 0; f < frames; f++)
    for (let m = 0; m < count; m++) {
      const at = start + f * stride + m * 4 * size;
      const value = (k: number): number => (isReal ? reader.float(at + 4 * k) : scale * reader.short(at + 2 * k));
      // The sign of the fourth number says whether the marker was seen.
      const isSeen = isReal ? reader.float(at + 12) >= 0 : reader.short(at + 6) >= 0;
      if (isSeen) for (let k = 0; k < 3; k++) positions[3 * (f * count + m) + k] = value(k) * unit!.factor;
    }
  const markers = Array.from({ length: count }, (_, m) => labels[m]?.replace(/^.*:/, '') || String(m + 1));
  const readingNotes = `C3D; x y z in ${unit!.name}; ${Number(rate.toPrecision(4))} frames a second`;
  return { name, markers, frameRate: rate, frames, positions, readingNotes };
}

/** Parameters by group and name, `POINT:RATE`. */
function parametersOf(reader: Reader, begin: number): Map<string, Parameter> {
  const groups = new Map<number, string>();
  const found: { readonly group: number; readonly name: string; readonly parameter: Parameter }[] = [];
  const end = Math.min(begin + BLOCK_BYTES * reader.byte(begin + 2), reader.length);
  let at = begin + 4;
  while (at + 2 < end) {
    // A negative length says that the group is locked.
    const length = Math.abs((reader.byte(at) << 24) >> 24);
    const id = (reader.byte(at + 1) << 24) >> 24;
    if (length === 0 || id === 0) break;
    const name = reader.text(at + 2, length).toUpperCase();
    const next = at + 2 + length;
    const offset = reader.word(next);
    if (id < 0) groups.set(-id, name);
    else found.push({ group: id, name, parameter: parameterAt(reader, next + 2) });
    if (offset === 0) break;
    at = next + offset;
  }
  return new Map(found.map(({ group, name, parameter }) => [`${groups.get(group) ?? group}:${name}`, parameter]));
}

function parameterAt(reader: Reader, at: number): Parameter {
  const type = (reader.byte(at) << 24) >> 24;
  const dimensions = Array.from({ length: reader.byte(at + 1) }, (_, k) => reader.byte(at + 2 + k));
  const data = at + 2 + dimensions.length;
  const count = dimensions.reduce((product, own) => product * own, 1);
  if (type === -1) {
    const width = dimensions[0] ?? 1;
    const texts = Array.from({ length: width > 0 ? count / width : 0 }, (_, k) => reader.text(data + k * width, width));
    return { texts, numbers: [] };
  }
  const one = (k: number): number =>
    type === 4 ? reader.float(data + 4 * k) : type === 2 ? reader.short(data + 2 * k) : reader.byte(data + k);
  return { texts: [], numbers: Array.from({ length: count }, (_, k) => one(k)) };
}
