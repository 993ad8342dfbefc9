import { MeshError, reasonOf } from '../mesh.ts';
import type { Platform } from '../platform.ts';

/** URLs. */
export const platform: Platform = {
  read,
  beside: (url, uri) => new URL(uri, new URL(url, globalThis.location?.href)).href,
  write: async (path) => {
    throw new MeshError(
      `A browser writes no files, so ${path} cannot be written: use formatObj, formatStl, formatGlb.`,
    );
  },
};

async function read(url: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new MeshError(`${url} cannot be fetched: ${reasonOf(error)}`, { cause: error });
  }
  if (!response.ok) {
    throw new MeshError(
      `${url} cannot be fetched: the server says ${response.status} ${response.statusText}.`,
    );
  }
  return new Uint8Array(await response.arrayBuffer());
}
