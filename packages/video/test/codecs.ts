import { createFrames, encodeFrames } from '../src/index.ts';

/** Why there are no video codecs on this machine; undefined when there are. */
export const codecsMissing: string | undefined = await encodeFrames(
  createFrames({ width: 32, height: 32, channels: 3, frameRate: 25 }, 2),
  'mp4',
).then(
  () => undefined,
  (error: Error) => error.message,
);
if (codecsMissing) console.warn(`skipped: tests of compressed video. ${codecsMissing}`);
