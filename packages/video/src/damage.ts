import type { VideoInfo } from './container.ts';
import { reasonOf, VideoError } from './errors.ts';

/** What to say of a frame that cannot be decoded. */
export function damaged(info: VideoInfo, frame: number, reason: string, cause?: unknown): VideoError {
  return new VideoError(
    `${info.name}: frame ${frame} of ${info.frameCount} cannot be decoded: ${reason} The file is cut short or ` +
      `damaged: copy or export it again, or use only the frames before ${frame}.`,
    { cause },
  );
}

/** What a decoder said of a frame, where it is known of which. */
export class DecodingError extends Error {
  readonly frame: number;
  constructor(message: string, frame: number) {
    super(message);
    this.frame = frame;
  }
}

/** What a decoder said of the frame that is shown at a time, in seconds. */
export class PacketError extends Error {
  readonly time: number;
  constructor(time: number, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.time = time;
  }
}
