import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';
import { named, packInto } from './install-packed.js';

/** Folder of the packages that were packed for people. */
export const TARBALLS = join(root, 'out', 'packages');

/**
 * The full names of packages that are given with or without `@gradsim/`.
 * @param {string[]} given
 * @throws for one that there is not, with those that there are.
 */
export function packageNames(given) {
  const all = publishedPackages().map(({ name }) => name);
  return given.map((name) => {
    const found = [name, named(name)].find((each) => all.includes(each));
    if (found === undefined) throw new Error(`There is no package "${name}"; there are ${all.map(short).join(', ')}.`);
    return found;
  });
}

/** @param {string} name */
const short = (name) => name.replace(/^@gradsim\//, '');

/**
 * Packs packages, with those of ours that they need, and returns their files. Each file is named for its content: what was
 * packed earlier, and may be installed somewhere, stays as it is.
 * @param {string[]} names
 * @param {string} [folder]
 */
export function packTarballs(names, folder = TARBALLS) {
  mkdirSync(folder, { recursive: true });
  /** @type {(name: string, bytes: Uint8Array) => string} */
  const tarballOf = (name, bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    return `${name.replace('@', '').replace('/', '-')}-${hash}.tgz`;
  };
  return Object.values(packInto(folder, names, tarballOf))
    .filter((place) => place.startsWith('file:'))
    .map((place) => join(folder, place.slice('file:'.length)));
}
