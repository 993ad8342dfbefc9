import { GradsimError } from '@gradsim/base';
import { walkBoxes } from './sizes.ts';

/** Entry of an edit list: its length, s, and the place of its media that it begins at, -1 for a gap. */
interface Edit {
  readonly seconds: number;
  readonly from: number;
  readonly rate: number;
}

/**
 * Times at which the edit lists of the video tracks of an MP4 or MOV end, s, in the order of the tracks; Infinity for a track
 * without one. Frames from there on are in the file, and players do not show them.
 * @throws GradsimError for an edit list of several parts, or of another rate than 1.
 */
export function editEnds(name: string, bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let scale = 0;
  let [isVideo, edits] = [false, [] as Edit[]];
  const tracks: (readonly Edit[])[] = [];
  walkBoxes(view, (kind, start, end) => {
    if (kind === 'mvhd' && start + 24 <= end) scale = view.getUint32(start + (view.getUint8(start) === 1 ? 20 : 12));
    else if (kind === 'hdlr' && start + 12 <= end) isVideo ||= view.getUint32(start + 8) === VIDEO_HANDLER;
    else if (kind === 'elst') edits = readEdits(view, start, end);
    else if (kind === 'trak') {
      if (isVideo) tracks.push(edits);
      [isVideo, edits] = [false, []];
    }
  });
  return tracks.map((own) => endOfEdits(name, own, scale));
}

/** `vide`, the handler of video tracks. */
const VIDEO_HANDLER = 0x76696465;

function endOfEdits(name: string, edits: readonly Edit[], scale: number): number {
  const shown = edits.filter(({ from }) => from >= 0);
  if (shown.length === 0 || scale === 0) return Number.POSITIVE_INFINITY;
  const odd = shown.find(({ rate }) => rate !== 1);
  if (shown.length > 1 || odd)
    throw new GradsimError(
      'video/edit-list',
      `${name} has an edit list by which players show ${odd ? `a part at ${odd.rate} times its rate` : `${shown.length} parts of it, one after another`}.`,
      {
        field: name,
        hint: 'Write it as it is shown, then use that file: `ffmpeg -i FILE -c:v libx264 -crf 12 shown.mp4`',
      },
    );
  const last = edits.indexOf(shown[0]);
  const seconds = edits.slice(0, last + 1).reduce((sum, edit) => sum + edit.seconds, 0) / scale;
  // A length of 0 means to the end.
  return shown[0].seconds === 0 ? Number.POSITIVE_INFINITY : seconds;
}

function readEdits(view: DataView, start: number, end: number): Edit[] {
  if (start + 8 > end) return [];
  const isLong = view.getUint8(start) === 1;
  const size = isLong ? 20 : 12;
  const count = Math.min(view.getUint32(start + 4), Math.floor((end - start - 8) / size));
  return Array.from({ length: count }, (_, k) => {
    const at = start + 8 + size * k;
    const [seconds, from] = isLong
      ? [Number(view.getBigUint64(at)), Number(view.getBigInt64(at + 8))]
      : [view.getUint32(at), view.getInt32(at + 4)];
    return { seconds, from, rate: view.getInt32(at + size - 4) / 65_536 };
  });
}
