import { VideoError } from './errors.ts';

/** Boxes of MP4 and QuickTime that hold others, on the way to the tables of samples. */
const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/** Tables, and the bytes of an entry. */
const TABLES: Readonly<Record<string, number>> = { stts: 8, ctts: 8, stsc: 12, stco: 4, co64: 8, stss: 4 };
/** Those whose entries begin with the number of samples that they stand for. */
const RUNS = new Set(['stts', 'ctts']);

/**
 * Refuses an MP4 or MOV whose tables say that it has more samples than it can hold: what reads it would make lists of
 * billions, for ever. Other files are passed over.
 *
 * @throws VideoError with the table and its numbers.
 */
export function checkSampleTables(name: string, bytes: Uint8Array): void {
  if (String.fromCharCode(...bytes.subarray(0, 4)) === '\x1a\x45\xdf\xa3') return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  walk(view, 0, bytes.length, (kind, start, end) => {
    const wrong = wrongTable(view, kind, start, end);
    if (wrong) {
      throw new VideoError(
        `${name} cannot be read as a video: its table ${kind} ${wrong}. The file is damaged: copy or export it again.`,
      );
    }
  });
}

/** Visits every box that holds no others: its kind, where its content starts, and where it ends. */
function walk(
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
    // What is no box is for whoever reads the file to judge.
    if (end < start) return;
    if (PARENTS.has(kind)) walk(view, start, end, visit);
    else visit(kind, start, end);
    at = end;
  }
}

/** What is wrong with a table, if something is. */
function wrongTable(view: DataView, kind: string, start: number, end: number): string | undefined {
  const isSizes = kind === 'stsz';
  const size = TABLES[kind];
  if (size === undefined && !isSizes) return undefined;
  const header = isSizes ? 12 : 8;
  if (start + header > end) return `has only ${end - start} bytes`;
  const count = view.getUint32(start + header - 4);
  if (isSizes) {
    const each = view.getUint32(start + 4);
    if (each === 0) return tooMany(count, 4, end - start - header);
    return count * each > view.byteLength
      ? `says that it has ${count} samples of ${each} bytes each, more than the file`
      : undefined;
  }
  const beyond = tooMany(count, size, end - start - header);
  if (beyond || !RUNS.has(kind)) return beyond;
  let samples = 0;
  for (let k = 0; k < count; k++) samples += view.getUint32(start + header + size * k);
  return samples > view.byteLength
    ? `says that it has ${samples} samples, in a file of ${view.byteLength} bytes`
    : undefined;
}

const tooMany = (count: number, size: number, held: number): string | undefined =>
  count * size > held
    ? `says that it has ${count} entries, but has room for ${Math.floor(held / size)}`
    : undefined;
