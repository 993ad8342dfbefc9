import { createHash } from 'node:crypto';
import { dirname, relative, sep } from 'node:path';
import type { PackagesInUse } from './in-use.ts';
import { commandPackage } from './installed.ts';
import type { LocalModules } from './local-modules.ts';

/** A file and the hash of its content; for several files, the hash of their hashes in order. */
export interface FileRecord {
  readonly file: string;
  readonly sha256: string;
}

/**
 * Sources of a module: the hash of its file, the modules that it imports by path with their hashes, and the version of
 * each package in use.
 */
export interface Sources {
  readonly sha256: string;
  readonly modules: readonly FileRecord[];
  readonly versions: Readonly<Record<string, string>>;
}

const versionsIn = (packages: PackagesInUse): Record<string, string> => {
  const { name, version } = commandPackage();
  return { ...packages.versions(), [name]: version, node: process.versions.node };
};

/** Sources of what a text identifies, with the packages in use. */
export const sourcesOfText = (text: string, packages: PackagesInUse): Sources => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  modules: [],
  versions: versionsIn(packages),
});

/** Sources loaded so far for the module at a path. */
export function sourcesOf(path: string, modules: LocalModules, packages: PackagesInUse): Sources {
  return {
    sha256: modules.hashes().get(path)!,
    modules: [...modules.hashes()]
      .filter(([other]) => other !== path)
      .map(([other, sha256]) => ({ file: relative(dirname(path), other).split(sep).join('/'), sha256 }))
      .sort((a, b) => (a.file < b.file ? -1 : 1)),
    versions: versionsIn(packages),
  };
}
