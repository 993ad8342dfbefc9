import { GradsimError } from '@gradsim/base';
import { reasonOf } from '../mesh.ts';
import type { Platform } from '../platform.ts';

/** File access for browsers, by URL, and their own compression. */
export const platform: Platform = {
  read,
  readBeside,
  write: async (path) => {
    throw new GradsimError('mesh/not-in-browser', `A browser writes no files, so ${path} cannot be written.`, {
      hint: 'Use formatObj, formatStl, formatGlb.',
    });
  },
  deflate,
};

async function deflate(bytes: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array[]> {
  const { readable, writable } = new CompressionStream('deflate');
  const compressed = partsOf(readable);
  const writer = writable.getWriter();
  let written: Promise<void> = Promise.resolve();
  for await (const part of bytes) {
    await written;
    written = writer.write(part);
  }
  await written;
  await writer.close();
  return compressed;
}

async function partsOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return parts;
    parts.push(value);
  }
}

async function readBeside(url: string, uri: string, { allowOutside }: { allowOutside: boolean }): Promise<Uint8Array> {
  const own = new URL(url, globalThis.location?.href);
  const beside = new URL(uri, own);
  if (!allowOutside && !beside.href.startsWith(new URL('.', own).href))
    throw new GradsimError(
      'mesh/outside-of-folder',
      `${url} names the file ${uri}, which is outside of its folder, and so is not fetched. If you trust it, say allowOutside: true.`,
    );
  return read(beside.href);
}

async function read(url: string): Promise<Uint8Array> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    throw new GradsimError('mesh/file-unreadable', `${url} cannot be fetched: ${reasonOf(error)}`, { cause: error });
  }
  if (!response.ok) {
    throw new GradsimError(
      'mesh/file-unreadable',
      `${url} cannot be fetched: the server says ${response.status} ${response.statusText}.`,
    );
  }
  return new Uint8Array(await response.arrayBuffer());
}
