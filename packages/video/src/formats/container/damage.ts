import { GradsimError } from '@gradsim/base';
import { reasonOf } from '../../errors.ts';
import type { VideoInfo } from './container.ts';

/** Creates the error for a frame that cannot be decoded. */
export function damaged(info: VideoInfo, frame: number, reason: string, cause?: unknown): GradsimError {
  return new GradsimError(
    'video/frame-damaged',
    `${info.name}: frame ${frame} of ${info.frameCount} cannot be decoded: ${reason} The file is cut short or damaged.`,
    { hint: `Copy or export it again${frame === 0 ? '' : `, or use only the frames before ${frame}`}.`, cause },
  );
}

/** Decoder error with the number of the damaged frame. */
export class DecodingError extends Error {
  readonly frame: number;
  constructor(message: string, frame: number) {
    super(message);
    this.frame = frame;
  }
}

/** Decoder error with the presentation time of the damaged frame, s. */
export class PacketError extends Error {
  readonly time: number;
  constructor(time: number, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.time = time;
  }
}
