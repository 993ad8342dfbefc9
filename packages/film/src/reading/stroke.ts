import { GradsimError } from '@gradsim/core';

/** Stroke of a brush over a film's masks: all pixels within a radius of a line. */
export interface Stroke {
  /**
   * `add`: the thing covers these pixels; `remove`: nothing does; `ignore`: what they show is unknown, so that frames in
   * which a thing touches them are not compared by it.
   */
  readonly mode: 'add' | 'remove' | 'ignore';
  /** First and last frame of the stroke, by their numbers in the file. Default: all frames. */
  readonly frames?: readonly [first: number, last: number];
  /** px of the pictures as they are read. */
  readonly radius: number;
  /** Corners of the line, px from the left and the upper edge of the pictures as they are read. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

const MODES = ['add', 'remove', 'ignore'] as const;
const NUMBER = String.raw`\d+(?:\.\d+)?`;
const STROKE = new RegExp(`^(${MODES.join('|')}) (all|\\d+(?:-\\d+)?) r(${NUMBER})((?: ${NUMBER},${NUMBER})+)$`);

/**
 * Strokes from a text: of each the mode, its frames, the radius and the points, separated by semicolons.
 *
 * ```ts
 * strokesOf('ignore all r20 212,140 215,150; add 12-14 r4 88,90');
 * ```
 * @param text null for no strokes.
 * @throws for a stroke that is written in another way, with its text.
 */
export function strokesOf(text: string | null): Stroke[] {
  if (text === null || text.trim() === '') return [];
  return text.split(';').map((part) => {
    const found = STROKE.exec(part.trim());
    const [first, last = first] = (found?.[2] ?? '').split('-').map(Number);
    if (!found || !(Number(found[3]) > 0) || last < first)
      throw new GradsimError('film/no-stroke', `"${part.trim().slice(0, 60)}" is no stroke of a brush.`, {
        hint: 'It is written as in "ignore all r20 212,140 215,150" or "add 12-14 r4 88,90": what it does, its frames, its radius and points in pixels.',
      });
    return {
      mode: found[1] as Stroke['mode'],
      ...(found[2] === 'all' ? {} : { frames: [first, last] as const }),
      radius: Number(found[3]),
      points: found[4]
        .trim()
        .split(' ')
        .map((point) => point.split(',').map(Number) as unknown as readonly [number, number]),
    };
  });
}

/** Text of a stroke, which {@link strokesOf} reads; coordinates to a tenth of a pixel. */
export function strokeText({ mode, frames, radius, points }: Stroke): string {
  const when = frames ? [...new Set(frames)].join('-') : 'all';
  const round = (value: number): string => String(Number(Math.max(0, value).toFixed(1)));
  return `${mode} ${when} r${round(radius)} ${points.map((point) => point.map(round).join(',')).join(' ')}`;
}
