import { GradsimError } from '@gradsim/base';

/** Boxes of MP4 and QuickTime that contain other boxes, on the path to the sample tables and edit lists. */
const PARENT_BOXES = new Set(['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'moof', 'traf']);

/** Sample tables of MP4, and the size of an entry in bytes. */
const TABLE_ENTRY_SIZES: Readonly<Record<string, number>> = { stts: 8, ctts: 8, stsc: 12, stco: 4, co64: 8, stss: 4 };
/** Sample tables whose entries begin with the number of consecutive samples that they describe. */
const RUN_TABLES = new Set(['stts', 'ctts']);

/**
 * Refuses a container whose header states more bytes than the file has, and an MP4 or MOV whose tables state more
 * samples than the file can hold: a reader would otherwise build lists of billions of entries. Files of other kinds are
 * ignored.
 *
 * @throws GradsimError naming the damaged part and its numbers.
 */
export function checkSizes(name: string, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isMatroska = bytes.length >= 4 && view.getUint32(0) === EBML_ID;
  const end = isMatroska ? endOfSegment(view) : endOfBoxes(view);
  if (end > bytes.length) {
    throw new GradsimError(
      'video/file-cut-short',
      `${name} is cut short: by what it says of itself it has ${end} bytes, but there are ${bytes.length}.`,
      { field: name, hint: 'Copy or export it again.' },
    );
  }
  if (isMatroska) return;
  visitBoxes(view, 0, bytes.length, (kind, start, end) => {
    const wrong = kind === 'stbl' ? unequalTables(view, start, end) : tableFault(view, kind, start, end);
    if (wrong) {
      throw new GradsimError(
        'video/file-damaged',
        `${name} cannot be read as a video: its table ${wrong}. The file is damaged.`,
        { hint: 'Copy or export it again.' },
      );
    }
  });
}

/** Identifier of the EBML header, at the start of a Matroska or WebM file. */
const EBML_ID = 0x1a45dfa3;
/** Identifier of the segment element of a Matroska or WebM file. */
const SEGMENT_ID = 0x18538067;

/** Returns the end of the segment of a WebM or Matroska file by its header, in bytes from the start; 0 if unknown. */
function endOfSegment(view: DataView): number {
  const header = variableSize(view, 4);
  const at = header ? 4 + header.length + header.value : view.byteLength;
  if (at + 4 > view.byteLength || view.getUint32(at) !== SEGMENT_ID) return 0;
  const size = variableSize(view, at + 4);
  return size ? at + 4 + size.length + size.value : 0;
}

/**
 * Reads a variable-length size of Matroska, whose number of leading zero bits gives its number of bytes. Undefined if
 * all value bits are 1, which means an unknown size, or the file ends before.
 */
function variableSize(view: DataView, at: number): { value: number; length: number } | undefined {
  if (at >= view.byteLength) return undefined;
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > view.byteLength) return undefined;
  const bits = 2 ** (8 - length) - 1;
  let value = first & bits;
  let isUnknown = value === bits;
  for (let k = 1; k < length; k++) {
    const byte = view.getUint8(at + k);
    value = 256 * value + byte;
    isUnknown &&= byte === 255;
  }
  return isUnknown ? undefined : { value, length };
}

/** Returns the end of the last top-level box of an MP4 by the boxes' headers, in bytes from the start. */
function endOfBoxes(view: DataView): number {
  let at = 0;
  while (at + 8 <= view.byteLength) {
    const short = view.getUint32(at);
    const length = short === 1 && at + 16 <= view.byteLength ? Number(view.getBigUint64(at + 8)) : short;
    // 0 means up to the end; sizes below a header are left to the reader.
    if (length < 8) return view.byteLength;
    at += length;
  }
  return at;
}

/** Calls `visit` for every box of an MP4 or MOV; not for files of other kinds. */
export function walkBoxes(view: DataView, visit: (kind: string, start: number, end: number) => void): void {
  const isMatroska = view.byteLength >= 4 && view.getUint32(0) === EBML_ID;
  if (!isMatroska) visitBoxes(view, 0, view.byteLength, visit);
}

/**
 * Calls `visit` for every box of an MP4, contained boxes before the one around them, with its kind and the start and
 * end of its content, in bytes.
 */
function visitBoxes(
  view: DataView,
  from: number,
  to: number,
  visit: (kind: string, start: number, end: number) => void,
): void {
  for (let at = from; at + 8 <= to; ) {
    let length = view.getUint32(at);
    const kind = String.fromCharCode(...[4, 5, 6, 7].map((k) => view.getUint8(at + k)));
    let start = at + 8;
    if (length === 1 && at + 16 <= to) {
      length = Number(view.getBigUint64(at + 8));
      start = at + 16;
    }
    const end = length === 0 ? to : Math.min(at + length, to);
    // Invalid boxes are left to the reader.
    if (end < start) return;
    if (PARENT_BOXES.has(kind)) visitBoxes(view, start, end, visit);
    visit(kind, start, end);
    at = end;
  }
}

/** Describes what is wrong with a sample table; undefined if nothing is. */
function tableFault(view: DataView, kind: string, start: number, end: number): string | undefined {
  if (kind === 'trun') return runFault(view, start, end);
  const size = kind === 'stsz' ? (sizeOfAll(view, start, end) === 0 ? 4 : 0) : TABLE_ENTRY_SIZES[kind];
  if (size === undefined) return undefined;
  const header = headerOf(kind);
  if (start + header > end) return `${kind} has only ${end - start} bytes`;
  const count = view.getUint32(start + header - 4);
  const room = Math.floor((end - start - header) / size);
  if (count > room) return `${kind} says that it has ${count} entries, but has room for ${room}`;
  const samples = samplesOf(view, kind, start, end);
  const each = kind === 'stsz' ? Math.max(1, sizeOfAll(view, start, end)) : 1;
  if (samples === undefined || samples * each <= view.byteLength) return undefined;
  return `${kind} says that it has ${samples} samples, in a file of ${view.byteLength} bytes`;
}

/**
 * Describes what is wrong with a fragment's sample table (trun), whose flags say which numbers an entry has, perhaps
 * none; undefined if nothing is.
 */
function runFault(view: DataView, start: number, end: number): string | undefined {
  if (start + 8 > end) return `trun has only ${end - start} bytes`;
  const flags = view.getUint32(start) & 0xffffff;
  const count = view.getUint32(start + 4);
  const words = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length;
  const room = end - start - 8 - (flags & 1 ? 4 : 0) - (flags & 4 ? 4 : 0);
  // A box is as long as its entries: a smaller count would lose frames.
  if ((words > 0 && 4 * words * count !== room) || count > view.byteLength)
    return `trun says that it has ${count} samples, with ${room} bytes of them in a file of ${view.byteLength} bytes`;
  return undefined;
}

/** Number of bytes before the first entry of a table; the last four of them hold the number of entries. */
const headerOf = (kind: string): number => (kind === 'stsz' ? 12 : 8);

/** Size in bytes of every sample by the table stsz, if all have the same size; otherwise 0. */
const sizeOfAll = (view: DataView, start: number, end: number): number =>
  start + 8 <= end ? view.getUint32(start + 4) : 0;

/** Returns the number of samples that a table describes; undefined for a table that does not say it. */
function samplesOf(view: DataView, kind: string, start: number, end: number): number | undefined {
  const header = headerOf(kind);
  if (start + header > end) return undefined;
  const count = view.getUint32(start + header - 4);
  if (kind === 'stsz') return count;
  if (!RUN_TABLES.has(kind)) return undefined;
  let samples = 0;
  for (let k = 0; k < count; k++) samples += view.getUint32(start + header + TABLE_ENTRY_SIZES[kind] * k);
  return samples;
}

/**
 * Describes a difference between the numbers of samples in the tables of times and of sizes; undefined if there is
 * none.
 */
function unequalTables(view: DataView, start: number, end: number): string | undefined {
  const samples = new Map<string, number>();
  visitBoxes(view, start, end, (kind, from, to) => {
    const count = samplesOf(view, kind, from, to);
    if (count !== undefined) samples.set(kind, count);
  });
  const [times, sizes] = [samples.get('stts'), samples.get('stsz')];
  if (times === undefined || sizes === undefined || times === sizes) return undefined;
  return `stts has times of ${times} samples, and stsz sizes of ${sizes}`;
}
