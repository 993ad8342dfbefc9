import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGradsimError } from '@gradsim/core';
import { apartFromCommand } from '../experiment/engine.ts';
import { PackagesInUse } from '../modules/in-use.ts';
import { enclosingPackage, findPackage, type InstalledPackage, upwards } from '../modules/installed.ts';
import type { Finding } from './finding.ts';

const about = 'packages';
const wrong = (text: string, command?: string): Finding => ({
  about,
  state: 'wrong',
  text,
  ...(command && { command }),
});
const isOwn = (name: string): boolean => name === 'gradsim' || name.startsWith('@gradsim/');

/**
 * Checks the packages that an experiment in a folder would import: those of gradsim and those built on them (plugins) that
 * its package.json names or that are installed. Each is whole, its peers are there, no package that is to be shared
 * is there twice, and versions go with the command's.
 */
export function checkPackages(folder: string): Finding[] {
  try {
    const { installed, missing } = packagesOf(folder);
    const inUse = new PackagesInUse();
    for (const each of installed)
      try {
        inUse.add(each, 'this folder');
      } catch (error) {
        // A mix is reported once, below.
        if (!isGradsimError(error) || error.code !== 'gradsim/versions-apart') throw error;
      }
    const problems = [
      ...(missing.length > 0
        ? [wrong(`The package.json names ${missing.join(', ')}, not installed here.`, 'npm install')]
        : []),
      ...installed.flatMap(problemsOf),
      ...inUse.mixed().map(({ problem, command }) => wrong(problem, command)),
    ];
    if (problems.length > 0) return problems;
    if (installed.length === 0)
      return [
        { about, state: 'ok', text: `No package of gradsim is installed for ${folder}: the command's own are used.` },
      ];
    const others = installed.filter(({ name }) => !isOwn(name));
    return [{ about, state: 'ok', text: `${versionsOf(inUse.versions(), others)}; no copy twice.` }];
  } catch (error) {
    if (!isGradsimError(error)) throw error;
    return [wrong(error.message, 'npm install')];
  }
}

/** Versions of the packages of gradsim, shortly where they are of one, and of those that are built on them. */
function versionsOf(inUse: Readonly<Record<string, string>>, others: readonly InstalledPackage[]): string {
  const own = Object.keys(inUse).filter(isOwn);
  const different = new Set(own.map((name) => inUse[name]));
  const each = (name: string): string => `${name} ${inUse[name]}`;
  const known =
    different.size === 1 && own.length > 3 ? [`${own.length} packages of gradsim ${[...different]}`] : own.map(each);
  return [...known, ...others.map(({ name }) => each(name))].join(', ');
}

/** Packages of gradsim, and those that need one of them, that modules in a folder can import; and names that lead nowhere. */
function packagesOf(folder: string): { installed: InstalledPackage[]; missing: string[] } {
  const asked = namedIn(folder);
  const installed: InstalledPackage[] = [];
  const missing: string[] = [];
  for (const name of new Set([...asked, ...installedNear(folder)])) {
    const found = findPackage(name, folder);
    if (found && (isOwn(name) || found.needs.some(isOwn))) installed.push(found);
    if (!found && (isOwn(name) || name.startsWith('gradsim-'))) missing.push(name);
  }
  return { installed, missing };
}

/** Names of dependencies in the package.json of a folder, or of the next one upwards. */
function namedIn(folder: string): string[] {
  const own = enclosingPackage(folder);
  if (!own) return [];
  const { devDependencies = {} } = JSON.parse(readFileSync(join(own.folder, 'package.json'), 'utf8'));
  return [...own.needs, ...Object.keys(devDependencies)];
}

/** Packages of gradsim in the nearest `node_modules`, which may hold some that no package.json names. */
function installedNear(folder: string): string[] {
  for (const at of upwards(folder)) {
    const modules = join(at, 'node_modules');
    if (!existsSync(modules)) continue;
    const scope = join(modules, '@gradsim');
    const scoped = existsSync(scope) ? readdirSync(scope).map((name) => `@gradsim/${name}`) : [];
    return existsSync(join(modules, 'gradsim')) ? ['gradsim', ...scoped] : scoped;
  }
  return [];
}

/** Problems of one installed package: files that are not there, peers that are not, a version apart from the command's. */
function problemsOf(installed: InstalledPackage): Finding[] {
  const { name, version, folder, shares } = installed;
  const lost = filesOf(folder).find((file) => !existsSync(join(folder, file)));
  const peers = shares.filter((peer) => !findPackage(peer, folder));
  const apart = name === '@gradsim/core' || name === '@gradsim/optim' ? apartFromCommand(installed) : undefined;
  return [
    ...(lost
      ? [
          wrong(
            `${name} ${version} in ${folder} lacks its file ${lost}.`,
            `npm uninstall ${name} && npm install ${name}`,
          ),
        ]
      : []),
    ...(peers.length > 0
      ? [
          wrong(
            `${name} ${version} needs ${peers.join(', ')} beside it, not installed.`,
            `npm install ${peers.join(' ')}`,
          ),
        ]
      : []),
    ...(apart ? [wrong(`This folder has ${apart.problem}`, apart.command)] : []),
  ];
}

/** Files that a package exports to programs. */
function filesOf(folder: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const targets = (entry: unknown): string[] => {
    if (typeof entry === 'string') return entry.includes('*') ? [] : [entry];
    if (typeof entry !== 'object' || entry === null) return [];
    // The condition of this repository's sources is for tests alone.
    return Object.entries(entry).flatMap(([key, value]) => (key === '@gradsim/source' ? [] : targets(value)));
  };
  return targets(exports);
}
