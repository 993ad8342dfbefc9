import type { Board, BoardView } from '@gradsim/cameras';
import { checkBoard, findBoard } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import { frameAt, frameCount, inspectFilm, readFrames, type Size } from '@gradsim/video';
import type { Terminal } from '../terminal/terminal.ts';

/** Options that state the checkerboard to search for, and the frames to search. */
export interface BoardOptions {
  readonly board?: string;
  readonly square?: number;
  readonly first?: number;
  readonly last?: number;
  /** Maximum number of frames used from each film. */
  readonly pictures: number;
}

/** Board described by `--board` and `--square`. @throws if they do not describe one. */
export function boardOf({ board = '', square = 0 }: BoardOptions): Board {
  const match = /^(\d+)x(\d+)$/i.exec(board.trim());
  if (!match)
    throw new GradsimError(
      'gradsim/option-wrong',
      `--board takes inner corners across and down, as in 9x6, not "${board}".`,
    );
  const made = { columns: Number(match[1]), rows: Number(match[2]), square };
  checkBoard(made);
  return made;
}

/**
 * Finds the board in films and pictures, which must all have the same size in pixels.
 * @throws if their sizes differ.
 */
export async function viewsIn(
  films: readonly string[],
  board: Board,
  { first = 0, last, pictures }: BoardOptions,
  terminal?: Terminal,
): Promise<{ views: BoardView[]; size: Size; looked: number }> {
  const views: BoardView[] = [];
  let [size, from] = [undefined as Size | undefined, ''];
  let looked = 0;
  for (const film of films) {
    const { width, height, frameCount: count } = await inspectFilm(film);
    if (size && (size.width !== width || size.height !== height))
      throw new GradsimError(
        'gradsim/other-size',
        `${film} has ${width} x ${height} pixels, and ${from} ${size.width} x ${size.height}: a lens is calibrated from pictures of one size.`,
      );
    [size, from] = [{ width, height }, film];
    const end = Math.min(last ?? count - 1, count - 1);
    const every = Math.max(1, Math.ceil((Math.max(0, end - first) + 1) / pictures));
    const frames = await readFrames(film, {
      first: Math.min(first, end),
      last: end,
      every,
      frameRate: 1,
      channels: 1,
    });
    for (let k = 0; k < frameCount(frames); k++) {
      looked++;
      const name = count > 1 ? `${film}, frame ${first + k * every}` : film;
      const view = findBoard({ width, height, data: frameAt(frames, k) }, board, name);
      if (view) views.push(view);
      else terminal?.say(`${name}: the whole board is not found.`);
    }
  }
  return { views, size: size!, looked };
}
