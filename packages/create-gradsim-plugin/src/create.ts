import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFolder } from './folder.ts';
import { checkName } from './name.ts';
import { filesOf } from './template.ts';
import type { Versions } from './versions.ts';

/** Description of a new plugin. */
export interface NewPlugin {
  /** Name of its package, `my-plugin` or `@me/my-plugin`. */
  readonly name: string;
  /** Folder of its files: new, or empty. */
  readonly folder: string;
  /** Versions of the packages that it is built and tested with. */
  readonly versions: Versions;
}

/**
 * Writes the files of a new plugin.
 *
 * ```ts
 * createPlugin({ name: 'my-plugin', folder: 'my-plugin', versions: releasedVersions() });
 * ```
 * @returns their paths in the folder.
 * @throws before anything is written, when npm would not take the name, or the folder holds something or cannot be
 * made.
 */
export function createPlugin({ name, folder, versions }: NewPlugin): string[] {
  checkName(name, versions);
  checkFolder(folder);
  const files = filesOf(name, versions);
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...files.keys()];
}
