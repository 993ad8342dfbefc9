import type { VideoInfo } from '../../container.ts';
import type { YuvPicture } from '../../yuv.ts';

/** What the decoder's process is asked. One film at a time. */
export type Request =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly film: string | Uint8Array;
      readonly track: number | undefined;
    }
  | { readonly kind: 'decode'; readonly first: number; readonly last: number }
  /** A picture was taken: one more may be sent. */
  | { readonly kind: 'taken' }
  /** A process group to end when the parent is gone; none for none. */
  | { readonly kind: 'guard'; readonly group: number | undefined }
  | { readonly kind: 'close' };

/** What it answers. */
export type Answer =
  | { readonly kind: 'ready' }
  /** It makes progress with what it was asked last. */
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'opened';
      readonly info: VideoInfo;
      readonly times: number[];
      readonly canDecode: boolean;
    }
  | { readonly kind: 'picture'; readonly index: number; readonly picture: YuvPicture }
  | { readonly kind: 'end' }
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly isExplained: boolean;
      readonly frame?: number;
    };

/** Pictures on their way at most: more would pile up where the reader is slow. */
export const PICTURES_AHEAD = 4;

/** Written to standard error at the end of a film, so that complaints of decoders before it are known to be its own. */
export const END_OF_COMPLAINTS = '\u0004';
/** Written there for each picture. */
export const PICTURE_IN_COMPLAINTS = '\u0005';
