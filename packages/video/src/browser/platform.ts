import { reasonOf, VideoError } from '../errors.ts';
import type { Platform } from '../platform.ts';

/** URLs and WebCodecs. */
export const platform: Platform = {
  read,
  listImages: async () => null,
  write: async (files) => {
    throw new VideoError(
      `A browser writes no files, so ${[...files.keys()][0]} cannot be written: take the bytes of encodeFrames.`,
    );
  },
  registerCodecs: async () => {},
  externalCodec: async () => null,
  codecAdvice:
    'This browser has no WebCodecs for it: use a current Chromium, Firefox or Safari on a secure (https) page, or ' +
    'another codec, such as VP9 in WebM. GIF and PNG need none.',
};

async function read(url: string, limit?: number): Promise<Uint8Array> {
  let response: Response;
  try {
    // Servers that know ranges send only the start; others send all, of which the start is taken.
    response = await fetch(url, limit ? { headers: { Range: `bytes=0-${limit - 1}` } } : {});
  } catch (error) {
    throw new VideoError(`${url} cannot be fetched: ${reasonOf(error)}`, { cause: error });
  }
  if (!response.ok) {
    throw new VideoError(
      `${url} cannot be fetched: the server says ${response.status} ${response.statusText}.`,
    );
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  return limit ? bytes.subarray(0, limit) : bytes;
}
