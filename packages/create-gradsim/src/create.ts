import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFolder } from './folder.ts';
import { checkName } from './name.ts';
import { filesOf, neededBy } from './template.ts';
import type { TemplateName } from './templates.ts';
import type { Versions } from './versions.ts';

/** Description of a new project. */
export interface NewProject {
  /** Kind of project: `experiment`, `vite`, `next`, `node`, `plugin` or `kind`. */
  readonly template: TemplateName;
  /** Package name, such as `my-plugin` or `@me/my-plugin`. */
  readonly name: string;
  /** Folder for the project's files: it must be empty or not exist yet. */
  readonly folder: string;
  /** Version ranges of the packages that the project is built and tested with. */
  readonly versions: Versions;
}

/**
 * Writes the files of a new project.
 *
 * ```ts
 * create({ template: 'node', name: 'my-script', folder: 'my-script', versions: releasedVersions() });
 * ```
 * @returns the files' paths, relative to the folder.
 * @throws before anything is written, if npm would refuse the name, or the folder is not empty or cannot be created.
 */
export function create({ template, name, folder, versions }: NewProject): string[] {
  checkName(name, neededBy(template));
  checkFolder(folder);
  const files = filesOf(template, name, versions);
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return [...files.keys()];
}
