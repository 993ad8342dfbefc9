// What an installation weighs: packages as they are packed, with all that they need of ours and of others.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { pack, publishedPackages } from '../packages.js';

/** Most that an installation may weigh, bytes, by what is asked for. */
export const LARGEST_INSTALLED = [
  { asked: ['@gradsim/core', '@gradsim/rigid', '@gradsim/mesh'], bytes: 6e6 },
  { asked: ['@gradsim/film'], bytes: 20e6 },
];

/**
 * Files of a package by path: a tar of ustar records, gzipped, below the folder `package`.
 * @param {Uint8Array} tarball
 * @returns {Map<string, Buffer>}
 */
export function filesOf(tarball) {
  const tar = gunzipSync(tarball);
  const files = new Map();
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    /** @param {number} from @param {number} length */
    const text = (from, length) => tar.toString('utf8', at + from, at + from + length).replace(/\0[\s\S]*$/, '');
    const size = Number.parseInt(text(124, 12), 8);
    const prefix = text(345, 155);
    const path = (prefix ? `${prefix}/` : '') + text(0, 100);
    // Others are folders and further headers.
    if (['0', ''].includes(text(156, 1)))
      files.set(path.replace(/^package\//, ''), tar.subarray(at + 512, at + 512 + size));
    at += 512 + 512 * Math.ceil(size / 512);
  }
  return files;
}

/**
 * Bytes of each package that comes along with those asked for, by name; optional peers do not.
 * @param {readonly string[]} asked
 * @returns {Map<string, number>}
 */
export function weights(asked) {
  const own = new Map(publishedPackages().map(({ name, folder }) => [name, folder]));
  /** @type {Map<string, number>} */
  const found = new Map();
  /** @param {string} name @param {string} folder */
  const add = (name, folder) => {
    if (found.has(name)) return;
    const files = own.has(name) ? [...filesOf(pack(folder)).values()].map(({ length }) => length) : sizesIn(folder);
    found.set(
      name,
      files.reduce((sum, size) => sum + size, 0),
    );
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    for (const need of [...Object.keys(dependencies), ...peers])
      add(need, own.get(need) ?? placeOf(need, name, folder));
  };
  for (const name of asked) add(name, /** @type {string} */ (own.get(name)));
  return found;
}

/** Folder of what a package needs: its own `node_modules`, or, of an installed one, the folder that it lies in. @param {string} need @param {string} name @param {string} folder */
function placeOf(need, name, folder) {
  const beside = name.startsWith('@') ? dirname(dirname(folder)) : dirname(folder);
  for (const place of [join(folder, 'node_modules', need), join(beside, need)])
    try {
      return realpathSync(place);
    } catch {}
  throw new Error(`${name} needs ${need}, which is not installed.`);
}

/** @param {string} folder */
const sizesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
