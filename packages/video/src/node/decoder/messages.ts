import type { ErrorRecord } from '@gradsim/base';
import type { VideoInfo } from '../../formats/container/container.ts';
import type { YuvPicture } from '../../source/yuv.ts';

/** Requests to the decoder process, which has one film open at a time. */
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
  /** Process group to end when the parent is gone, and one no more. */
  | { readonly kind: 'guard' | 'release'; readonly group: number }
  | { readonly kind: 'close' };

/** Answers of the decoder process. */
export type Answer =
  | { readonly kind: 'ready' }
  /** Progress report of the current request. */
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
      /** Complete error, if it already says what to do. */
      readonly refusal?: ErrorRecord;
      readonly frame?: number;
    };

/** Maximum number of pictures sent and not yet taken, so that they do not pile up if the reader is slow. */
export const PICTURES_AHEAD = 4;

/** Marker written to standard error at the end of a film, so that messages before it are attributed to this film. */
export const END_OF_COMPLAINTS = '\u0004';
/** Marker written to standard error after each picture, so that messages are attributed to a frame. */
export const PICTURE_IN_COMPLAINTS = '\u0005';
