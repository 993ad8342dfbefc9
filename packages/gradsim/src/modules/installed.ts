import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/core';

/** A package as it is installed. */
export interface InstalledPackage {
  readonly name: string;
  /** Version from its package.json; `none` without one. */
  readonly version: string;
  /** Real path, with links resolved. */
  readonly folder: string;
  /** True if its `.js` files are ES modules. */
  readonly isModule: boolean;
  /** Names of its dependencies, including optional ones and peers. */
  readonly needs: readonly string[];
  /**
   * Names of the packages that it expects its users to provide and share with it: its non-optional peer dependencies.
   */
  readonly shares: readonly string[];
}

/** Relevant part of a package.json. */
interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly type?: string;
  readonly exports?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Folder of this module, from which the command resolves its own packages. */
export const COMMAND_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Package of this command. */
export const commandPackage = (): InstalledPackage => enclosingPackage(COMMAND_FOLDER)!;

/** Package name of a specifier such as `@gradsim/core/testing`. */
export function packageNameOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Package that Node resolves by this name from modules in `folder`: the package that contains the folder, or the one in
 * the nearest `node_modules` upwards. Undefined if there is none.
 */
export function findPackage(name: string, folder: string): InstalledPackage | undefined {
  const own = enclosingPackage(folder);
  if (own?.name === name && readManifest(own.folder)?.exports !== undefined) return own;
  for (const at of upwards(folder)) {
    if (basename(at) === 'node_modules') continue;
    const found = packageIn(join(at, 'node_modules', name), name);
    if (found) return found;
  }
  return undefined;
}

/** Package with the nearest package.json upwards. */
export function enclosingPackage(folder: string): InstalledPackage | undefined {
  for (const at of upwards(folder)) if (existsSync(join(at, 'package.json'))) return packageIn(at, at);
  return undefined;
}

/** A folder and all its ancestors, from the folder upwards. */
export function* upwards(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

function packageIn(folder: string, name: string): InstalledPackage | undefined {
  const manifest = readManifest(folder);
  if (!manifest) return undefined;
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const peers = Object.keys(peerDependencies ?? {});
  return {
    name: manifest.name ?? name,
    version: manifest.version ?? 'none',
    folder: realpathSync.native(folder),
    isModule: manifest.type === 'module',
    needs: [...new Set([...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers])],
    shares: peers.filter((peer) => !peerDependenciesMeta?.[peer]?.optional),
  };
}

/** Reads a folder's package.json; undefined if there is none. @throws if it is not JSON, naming its path. */
function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    throw new GradsimError('gradsim/file-damaged', `${file} is not JSON: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
