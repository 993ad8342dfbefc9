import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFile } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';

/** Folder of the built-in experiments, one file each; exists in the repository only. */
const builtInFolder = fileURLToPath(new URL('../../../../apps/examples/src', import.meta.url));

/** Names of the built-in experiments, which `gradsim estimate` accepts in place of a file. */
function builtInExperiments(): string[] {
  if (!existsSync(builtInFolder)) return [];
  return readdirSync(builtInFolder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .filter((entry) =>
      readFileSync(join(builtInFolder, entry.name), 'utf8').includes('export default defineExperiment'),
    )
    .map((entry) => basename(entry.name, '.ts'));
}

/**
 * Finds the file of an experiment, given as a path or as the name of a built-in one.
 * @throws if it is neither, listing the built-in names.
 */
export function findExperiment(nameOrPath: string): string {
  const path = resolve(nameOrPath);
  if (isFile(path)) return path;
  const names = builtInExperiments();
  if (names.includes(nameOrPath)) return join(builtInFolder, `${nameOrPath}.ts`);
  const known = names.length > 0 ? `; those with a name are: ${names.join(', ')}` : '';
  throw new GradsimError('gradsim/no-experiment', `There is no experiment "${nameOrPath}": no such file${known}.`);
}
