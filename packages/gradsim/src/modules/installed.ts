import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/core';

/** A package as it is installed. */
export interface InstalledPackage {
  readonly name: string;
  /** As its package.json has it; `none` where that has none. */
  readonly version: string;
  /** Where it really lies, links followed. */
  readonly folder: string;
  /** Whether its `.js` files are ES modules. */
  readonly isModule: boolean;
  /** Names of its dependencies, optional ones and peers included. */
  readonly needs: readonly string[];
  /** Names of the packages that it shares with those who use it: its peers, less the optional ones. */
  readonly shares: readonly string[];
}

/** The part of a package.json that is read here. */
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

/** The folder of this module: where the command looks for packages of its own. */
export const COMMAND_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The package that this command is. */
export const commandPackage = (): InstalledPackage => enclosingPackage(COMMAND_FOLDER)!;

/** The name of the package that a specifier such as `@gradsim/core/testing` imports from. */
export function packageNameOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

/**
 * The package that Node finds by this name from modules in `folder`: the package itself that the folder is in, or that
 * in the nearest `node_modules` upwards which has it. Undefined where there is none.
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

/** The package whose package.json is the nearest one upwards. */
export function enclosingPackage(folder: string): InstalledPackage | undefined {
  for (const at of upwards(folder)) if (existsSync(join(at, 'package.json'))) return packageIn(at, at);
  return undefined;
}

function* upwards(folder: string): Generator<string> {
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
    folder: realpathSync(folder),
    isModule: manifest.type === 'module',
    needs: [...new Set([...Object.keys(dependencies ?? {}), ...Object.keys(optionalDependencies ?? {}), ...peers])],
    shares: peers.filter((peer) => !peerDependenciesMeta?.[peer]?.optional),
  };
}

/** @throws for a package.json that is no JSON, with its path. */
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
