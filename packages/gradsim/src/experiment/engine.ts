import { dirname, join } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { importFromPackage, requirePackage } from '../modules/import-package.ts';
import type { PackagesInUse } from '../modules/in-use.ts';
import { COMMAND_FOLDER, commandPackage, findPackage, type InstalledPackage } from '../modules/installed.ts';

/** Packages that run an experiment. */
export interface Engine {
  readonly core: typeof import('@gradsim/core');
  readonly optim: typeof import('@gradsim/optim');
}

/**
 * Loads `@gradsim/optim`, resolved from the experiment's folder, else from the `gradsim` package found there, else the
 * command's own; and `@gradsim/core`, resolved from that package: also the core of the experiment's models if all are
 * installed together.
 * @param file path of the experiment, with links resolved
 * @param packages records the packages of the run
 * @throws when the packages are incompatible with this command, or with each other.
 */
export async function loadEngine(file: string, packages: PackagesInUse): Promise<Engine> {
  const here = dirname(file);
  const door = findPackage(commandPackage().name, here);
  const optim =
    findPackage('@gradsim/optim', here) ?? requirePackage('@gradsim/optim', door ? door.folder : COMMAND_FOLDER);
  const core = requirePackage('@gradsim/core', optim.folder);
  for (const part of [optim, core]) {
    requireSameInterface(part);
    packages.add(part, 'the command');
  }
  return {
    core: (await importFromPackage('@gradsim/core', join(optim.folder, 'package.json'))) as Engine['core'],
    optim: (await importFromPackage('@gradsim/optim', join(optim.folder, 'package.json'))) as Engine['optim'],
  };
}

/** @throws for a version of a package whose interface may differ from that of the command's own. */
function requireSameInterface(installed: InstalledPackage): void {
  const apart = apartFromCommand(installed);
  if (!apart) return;
  throw new GradsimError('gradsim/versions-apart', `The experiment has ${apart.problem}`, {
    hint: `Install the two that go together in the folder of the experiment: ${apart.command}`,
  });
}

/**
 * Whether the interface of an installed package may differ from that of the command's own: the rest of a sentence that
 * begins with `The experiment has`, and the command that mends it. Undefined if it does not.
 */
export function apartFromCommand({ name, version, folder }: InstalledPackage) {
  const own = findPackage(name, COMMAND_FOLDER);
  if (!own || interfaceOf(own.version) === interfaceOf(version)) return undefined;
  const command = commandPackage();
  return {
    problem: `${name} ${version} (${folder}), with which this command, ${command.name} ${command.version} (${command.folder}), cannot run: it needs one like ${own.version}.`,
    command: `npm install ${command.name}@latest ${name}@latest`,
  };
}

/** Leading part of a version, which changes with the interface: `2` for 2.3.4, `0.3` for 0.3.4, `0.0.4` for 0.0.4. */
const interfaceOf = (version: string): string => /^(?:0\.){0,2}\d+/.exec(version)?.[0] ?? version;
