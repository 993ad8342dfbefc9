import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFolder } from './folder.ts';
import { checkName } from './name.ts';
import { filesOf } from './template.ts';
import type { Versions } from './versions.ts';

/** Description of a new plugin. */
export interface NewPlugin {
  /** Package name, such as `my-plugin` or `@me/my-plugin`. */
  readonly name: string;
  /** Folder for the plugin's files: it must be empty or not exist yet. */
  readonly folder: string;
  /** Version ranges of the packages that the plugin is built and tested with. */
  readonly versions: Versions;
}

/**
 * Writes the files of a new plugin.
 *
 * ```ts
 * createPlugin({ name: 'my-plugin', folder: 'my-plugin', versions: releasedVersions() });
 * ```
 * @returns the files' paths, relative to the folder.
 * @throws before anything is written, if npm would refuse the name, or the folder is not empty or cannot be created.
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
