import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFile, kindOf, statusOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { KindText } from '../studio/kind-file.ts';
import { serveStudio } from '../studio/serve.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of `gradsim studio`. */
export interface StudioCommandOptions {
  readonly port: number;
  /** Kinds of others that the page offers too. */
  readonly kind: readonly string[];
}

/** The page's built files, in the package. */
const FOLDER = fileURLToPath(new URL('../../dist/studio-page', import.meta.url));

/**
 * `gradsim studio`: serves the page that estimates from a film, on this machine alone, until an interrupt. Returns 0.
 * @throws for a film that is no file, for a kind that a page cannot show or run, and for a port in use.
 */
export async function studioCommand(
  film: string | undefined,
  { port, kind }: StudioCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (film !== undefined && !isFile(film)) {
    const found = existsSync(film) ? statusOf(film) : undefined;
    throw new GradsimError(
      'gradsim/option-wrong',
      found ? `${film} is ${kindOf(found)}, not a file.` : `There is no file ${film}.`,
      { field: film, hint: 'Name a film in one file, such as an MP4.' },
    );
  }
  const kinds: KindText[] = [];
  for (const name of kind) {
    const { packKind } = await import('../studio/kind-file.ts');
    const packed = await packKind(name);
    if (kinds.some((other) => other.name === packed.name))
      throw new GradsimError('gradsim/option-wrong', `Two kinds have the name ${packed.name}.`, { field: '--kind' });
    kinds.push(packed);
  }
  const site = { folder: FOLDER, kinds, ...(film === undefined ? {} : { film: resolve(film) }) };
  const { server, address } = await serveStudio(site, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new GradsimError('gradsim/option-wrong', `Port ${port} is in use.`, {
      field: '--port',
      hint: 'Give another with --port, or none for any that is free.',
    });
  });
  const query = [
    ...(film === undefined ? [] : [`film=${encodeURIComponent(basename(film))}`]),
    ...kinds.map(({ name }) => `kind=${name}`),
  ].join('&');
  const interrupt = watchInterrupt(() => {
    server.close();
    server.closeAllConnections();
  });
  terminal.print(query === '' ? address : `${address}?${query}`);
  terminal.say('Open this address in a browser on this machine. Ctrl+C ends the studio.');
  await new Promise((done) => server.once('close', done));
  interrupt.dispose();
  return 0;
}
