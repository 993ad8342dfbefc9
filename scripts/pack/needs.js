import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from '../packages.js';
import { DOOR } from './install-packed.js';

const SOURCE = /\.m?[jt]s$/;

/**
 * The packages of ours that a folder needs: those that its package.json names or, where it has none, those that its modules
 * import, and the command.
 * @param {string} folder
 * @throws where it needs none, so that it is no folder that gradsim created.
 */
export function neededBy(folder) {
  const published = new Set(publishedPackages().map(({ name }) => name));
  const manifest = join(folder, 'package.json');
  const names = existsSync(manifest) ? namedBy(manifest) : importedBy(folder);
  const needed = [...new Set(names)].filter((name) => published.has(name));
  if (needed.length === 0)
    throw new Error(
      `${folder} needs no package of gradsim: name a folder that gradsim new or npm create gradsim plugin has written.`,
    );
  return existsSync(manifest) ? needed : [...new Set([DOOR, ...needed])];
}

/** @param {string} manifest */
function namedBy(manifest) {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function importedBy(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) return importedBy(path);
      if (!SOURCE.test(entry.name)) return [];
      const imports = readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*['"](@gradsim\/[\w-]+|gradsim\b)/g);
      return [...imports].map(([, name]) => name);
    });
}
