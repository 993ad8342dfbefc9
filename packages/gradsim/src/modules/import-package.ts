import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/core';
import { COMMAND_FOLDER, findPackage, type InstalledPackage, packageNameOf } from './installed.ts';
import { createJiti } from './jiti.ts';

/**
 * Finds the package that modules in `folder` import by this name: as Node resolves it from that folder, else the one
 * installed with the command.
 * @throws if neither exists, with advice.
 */
export function requirePackage(name: string, folder: string): InstalledPackage {
  const found = findPackage(name, folder) ?? findPackage(name, COMMAND_FOLDER);
  if (found) return found;
  throw new GradsimError(
    'gradsim/package-missing',
    `The package ${name} is not installed: it is found neither from ${folder} nor from the command.`,
    { hint: `Install it there: npm install ${name}` },
  );
}

/**
 * Path to which Node resolves `specifier` in `file`, if that belongs to a package other than the command's own
 * dependencies; undefined for these, whose own copy is always the loaded one.
 */
export function resolveInPackage(specifier: string, file: string): string | undefined {
  const name = packageNameOf(specifier);
  const found = requirePackage(name, dirname(file));
  const own = findPackage(name, COMMAND_FOLDER);
  return own?.folder === found.folder ? undefined : createJiti(file, { fsCache: false }).esmResolve(specifier);
}

/** Imports the package that `file` names `specifier`, and returns its exports. */
export function importFromPackage(specifier: string, file: string): Promise<unknown> {
  return import(resolveInPackage(specifier, file) ?? specifier);
}

/** File of a package that `file` names `specifier`, with links resolved. */
export const fileInPackage = (specifier: string, file: string): string =>
  realpathSync(fileURLToPath(resolveInPackage(specifier, file) ?? import.meta.resolve(specifier)));
