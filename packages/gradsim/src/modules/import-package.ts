import { dirname } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { createJiti } from 'jiti';
import { COMMAND_FOLDER, findPackage, type InstalledPackage, packageNameOf } from './installed.ts';

/**
 * The package that modules in `folder` import by this name: as Node finds it from there, else one that is installed
 * with the command.
 * @throws when it is neither here nor there, with what to do.
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
 * Where Node finds what `file` imports as `specifier` from a package of its own; undefined for what it gets from the
 * command, whose own copy of a package is always the one that the command has loaded.
 */
export function resolveInPackage(specifier: string, file: string): string | undefined {
  const name = packageNameOf(specifier);
  const found = requirePackage(name, dirname(file));
  const own = findPackage(name, COMMAND_FOLDER);
  return own?.folder === found.folder ? undefined : createJiti(file, { fsCache: false }).esmResolve(specifier);
}

/** The exports of what `file` imports as `specifier` from a package. */
export function importFromPackage(specifier: string, file: string): Promise<unknown> {
  return import(resolveInPackage(specifier, file) ?? specifier);
}
