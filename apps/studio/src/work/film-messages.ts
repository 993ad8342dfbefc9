import type { TrackedFilm } from '@gradsim/film';
import type { Kind, Value } from '@gradsim/kinds';
import type { FilmInfo } from '@gradsim/video';
import type { ErrorSentence } from './sentence.ts';

/** Order to the worker that reads films. */
export interface FilmOrder {
  readonly file: File;
  /** Measurements that reading uses: the range of frames, their rate, the rotation. */
  readonly measured: Readonly<Record<string, Value>>;
  /** True if the pictures to show are read too. */
  readonly pictures: boolean;
  /** Masks of the film, as the kind says. */
  readonly mask: Kind['mask'];
}

/** Pictures to show: red, green, blue, alpha of every pixel, frame by frame, perhaps smaller than in the file. */
export interface Pictures {
  /** Number of the first picture's frame in the file: not 0 where only a part of a long film is shown. */
  readonly first: number;
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** Position of a thing in a frame of the file, px of the file's pictures, with its outline as closed polygons. */
export interface SeenThing {
  readonly frame: number;
  readonly x: number;
  readonly y: number;
  readonly outline: readonly (readonly (readonly [number, number])[])[];
}

/** A thing that moves in the film, numbered as in `gradsim look`. */
export interface TrackedThing {
  readonly name: string;
  readonly seen: readonly SeenThing[];
}

/** Report of the worker that reads films. */
export type FilmReport =
  /** The worker waits for its order. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'info'; readonly info: FilmInfo }
  /** The frames to read are more than a page can hold, which is `most`; nothing was read. */
  | { readonly kind: 'long'; readonly most: number }
  | { readonly kind: 'progress'; readonly step: 'pictures' | 'reading' | 'masks'; readonly fraction: number }
  | { readonly kind: 'pictures'; readonly pictures: Pictures }
  | {
      readonly kind: 'things';
      readonly things: readonly TrackedThing[];
      /** The film without its pictures, with the number in the file of each frame. */
      readonly tracked: Omit<TrackedFilm, 'number'> & { readonly numbers: readonly (number | null)[] };
      /** Kind that the path of the largest one shows. */
      readonly likely?: string;
      /** Why there are none. */
      readonly nothing?: ErrorSentence;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly hint?: string };
