import { GradsimError } from '@gradsim/base';
import type { QuarterTurn } from '../../frames/upright.ts';
import { walkBoxes } from './sizes.ts';

/** Turn of a stored picture as players show it, clockwise; then mirrored left to right if `isMirrored`. */
export interface DisplayTurn {
  readonly rotation: QuarterTurn;
  readonly isMirrored: boolean;
}

/** Entries a, b, c, d of a matrix: a stored pixel (x, y) is shown at (a x + c y, b x + d y), but for a shift. */
type Matrix2 = readonly [number, number, number, number];

/** Size of a display matrix, bytes, and of the numbers before it, by the version of its box. */
const MATRIX_LENGTH = 36;
const MATRIX_OFFSETS: Readonly<Record<string, readonly [number, number]>> = { mvhd: [36, 48], tkhd: [40, 52] };
/** `vide`, the handler of video tracks. */
const VIDEO_HANDLER = 0x76696465;

/**
 * Returns how the video tracks of an MP4 or MOV are shown, in the order of the tracks, by the display matrices of each track and of the
 * film; nothing for files of other kinds.
 * @throws GradsimError for a matrix that is not a turn by quarters, perhaps mirrored and magnified.
 */
export function displaysOf(name: string, bytes: Uint8Array): DisplayTurn[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let film: Matrix2 = [1, 0, 0, 1];
  let [isVideo, own] = [false, film];
  const tracks: Matrix2[] = [];
  walkBoxes(view, (kind, start, end) => {
    if (kind === 'hdlr' && start + 12 <= end) isVideo ||= view.getUint32(start + 8) === VIDEO_HANDLER;
    if (kind === 'mvhd') film = matrixIn(view, kind, start, end) ?? film;
    if (kind === 'tkhd') own = matrixIn(view, kind, start, end) ?? own;
    if (kind === 'trak') {
      if (isVideo) tracks.push(own);
      [isVideo, own] = [false, [1, 0, 0, 1]];
    }
  });
  return tracks.map((track) => displayOf(name, multiplyRows(track, film)));
}

function matrixIn(view: DataView, kind: string, start: number, end: number): Matrix2 | undefined {
  if (start >= end) return undefined;
  const at = start + MATRIX_OFFSETS[kind][view.getUint8(start) === 1 ? 1 : 0];
  if (at + MATRIX_LENGTH > end) return undefined;
  const [a, b, c, d] = [0, 4, 12, 16].map((k) => view.getInt32(at + k) / 65_536);
  // Some cameras leave it empty.
  return a === 0 && b === 0 && c === 0 && d === 0 ? undefined : [a, b, c, d];
}

/** Product of matrices that are applied to rows, the first one first. */
const multiplyRows = ([a, b, c, d]: Matrix2, [e, f, g, h]: Matrix2): Matrix2 => [
  a * e + b * g,
  a * f + b * h,
  c * e + d * g,
  c * f + d * h,
];

const ROTATION_MATRICES: readonly (readonly [Matrix2, QuarterTurn])[] = [
  [[1, 0, 0, 1], 0],
  [[0, 1, -1, 0], 90],
  [[-1, 0, 0, -1], 180],
  [[0, -1, 1, 0], 270],
];

function displayOf(name: string, matrix: Matrix2): DisplayTurn {
  const size = Math.max(...matrix.map(Math.abs));
  const isMirrored = matrix[0] * matrix[3] - matrix[1] * matrix[2] < 0;
  const [a, b, c, d] = matrix.map((x) => x / size);
  const turned = isMirrored ? [-a, b, -c, d] : [a, b, c, d];
  const known = ROTATION_MATRICES.find(([turn]) => turn.every((x, k) => Math.abs(x - turned[k]) < 1e-3));
  if (known) return { rotation: known[1], isMirrored };
  const rows = `${[matrix.slice(0, 2), matrix.slice(2)].map((row) => row.map((x) => Number(x.toPrecision(4))).join(' ')).join('; ')}`;
  throw new GradsimError(
    'video/display-matrix',
    `${name} is shown by the matrix (${rows}), which is not a turn by 90, 180 or 270 degrees, mirrored or not.`,
    {
      field: name,
      hint: 'Write it as it is shown, then use that film: `ffmpeg -i FILE -c:v libx264 -crf 12 shown.mp4`',
    },
  );
}
