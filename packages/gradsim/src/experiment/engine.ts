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
 * Loads the estimation package that the experiment's folder resolves to, by itself or within the package `gradsim`, or
 * the command's own; and the core that it uses: that of the experiment's models, if it is installed with them.
 * @param file the experiment, links followed
 * @param packages records the packages of the run
 * @throws when they are incompatible with this command, or with each other.
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

/** @throws for a version whose interface may differ from the command's own. */
function requireSameInterface({ name, version, folder }: InstalledPackage): void {
  const own = findPackage(name, COMMAND_FOLDER);
  if (!own || interfaceOf(own.version) === interfaceOf(version)) return;
  const command = commandPackage();
  throw new GradsimError(
    'gradsim/versions-apart',
    `The experiment has ${name} ${version} (${folder}), with which this command, ${command.name} ${command.version} (${command.folder}), cannot run: it needs one like ${own.version}.`,
    {
      hint: `Install the two that go together in the folder of the experiment: npm install ${command.name}@latest ${name}@latest`,
    },
  );
}

/** Part of a version that changes with the interface: `2` of 2.3.4, `0.3` of 0.3.4, `0.0.4` of 0.0.4. */
const interfaceOf = (version: string): string => /^(?:0\.){0,2}\d+/.exec(version)?.[0] ?? version;
