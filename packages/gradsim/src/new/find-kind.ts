import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { GradsimError } from '@gradsim/core';
import type { Kind, KindImport } from '@gradsim/kinds';
import { isKind, KINDS } from '@gradsim/kinds';
import { fileInPackage, importFromPackage, requirePackage } from '../modules/import-package.ts';
import { PackagesInUse } from '../modules/in-use.ts';
import { COMMAND_FOLDER, findPackage } from '../modules/installed.ts';
import { ENDINGS, LocalModules } from '../modules/local-modules.ts';
import { type Sources, sourcesOf, sourcesOfText } from '../modules/sources.ts';
import { ROBOT } from '../robot/settings.ts';
import { messageOf } from '../terminal/describe.ts';

/** A kind of experiment that {@link findKind} found. */
export interface FoundKind {
  readonly kind: Kind;
  /** Returns where the modules of a folder import it from. */
  readonly importFrom: (folder: string) => KindImport;
  /** Returns the path of the module that exports it; none for a kind of gradsim. */
  readonly file?: () => string;
  /** Its sources, by which results of other versions of it are told apart. */
  readonly sources: () => Sources;
}

/**
 * Finds a kind of experiment: one of gradsim by its name, one of an installed package, `@someone/kind`, or of a module,
 * `./drop.ts`.
 * @throws for a name that is none of these, and for a package or module that exports no kind, or several.
 */
export async function findKind(name: string): Promise<FoundKind> {
  const own = KINDS.find((kind) => kind.name === name);
  const packages = new PackagesInUse();
  const modules = new LocalModules(packages);
  if (own)
    return {
      kind: own,
      importFrom: () => ({ from: 'gradsim/kinds', name }),
      sources: () => sourcesOfKind(own, packages),
    };
  const isFile = ENDINGS.includes(extname(name));
  if (isFile && !existsSync(name))
    throw new GradsimError('gradsim/file-missing', `There is no file ${resolve(name)}, of a kind of experiment.`);
  const path = isFile ? realpathSync(name) : undefined;
  const here = join(resolve('.'), 'package.json');
  if (path === undefined && !PACKAGE.test(name) && !findPackage(name, dirname(here))) throw unknownKind(name);
  const load = path === undefined ? importFromPackage(name, here) : modules.load(path);
  const { kind, exported } = kindIn(name, await importKind(name, load));
  return {
    kind,
    file: () => path ?? fileInPackage(name, here),
    importFrom: (folder) => ({ from: path === undefined ? name : pathFrom(folder, path), name: exported }),
    sources: () => (path === undefined ? sourcesOfKind(kind, packages) : sourcesOf(path, modules, packages)),
  };
}

/** Sources of a kind that is no module of the user's: its version stands for its content. */
function sourcesOfKind({ name, version }: Kind, packages: PackagesInUse): Sources {
  packages.add(requirePackage('@gradsim/kinds', COMMAND_FOLDER), 'the command');
  return sourcesOfText(`${name} ${version}`, packages);
}

/** Name of a package in a scope, or of a part of a package: never that of a kind of gradsim, whether installed or not. */
const PACKAGE = /^(@\w[\w.-]*\/[\w.-]+|\w[\w.-]*\/[\w.-]+)(\/[\w./-]+)?$/;

const unknownKind = (name: string): GradsimError =>
  new GradsimError(
    'gradsim/unknown-kind',
    `There is no kind "${name}" of experiment; there are:\n${[...KINDS, ROBOT]
      .map((kind) => `  ${kind.name}: ${kind.finds}`)
      .join('\n')}`,
    {
      hint: 'A kind of a package of others is given by its name, @someone/kind, once it is installed here; one in a file by its path, ./kind.ts.',
    },
  );

async function importKind(name: string, load: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await load) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof GradsimError) throw error;
    throw new GradsimError('gradsim/kind-not-loaded', `${name} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function kindIn(name: string, exports: Readonly<Record<string, unknown>>): { kind: Kind; exported: string } {
  const kinds = Object.entries(exports).filter(
    (entry): entry is [string, Kind] => entry[0] !== 'default' && isKind(entry[1]),
  );
  if (kinds.length === 1) return { kind: kinds[0][1], exported: kinds[0][0] };
  throw new GradsimError(
    'gradsim/no-kind',
    kinds.length === 0
      ? `${name} exports no kind of experiment.`
      : `${name} exports several kinds: ${kinds.map(([exported]) => exported).join(', ')}.`,
    { hint: 'It must export one under a name: export const drop = defineKind({ ... }), of gradsim/kinds.' },
  );
}

/** Path of a file as modules in a folder import it; an absolute one on another drive. */
export function pathFrom(folder: string, path: string): string {
  const to = relative(folder, path);
  const parts = to.split(sep).join('/');
  return isAbsolute(to) || parts.startsWith('.') ? parts : `./${parts}`;
}
