// NOTICE: what the published packages bring along when they are installed, and under which licences. It is written by
// `npm run notice`; a test compares it with what is installed.
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';

/** Licences of what comes along without being asked for; whoever adds another decides about it here. */
const ACCEPTED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MPL-2.0'];

/** What users may choose to add, and what its own package.json does not say. */
const OPTIONAL = [
  {
    name: 'webgpu',
    text: 'runs on graphics cards in Node. BSD-3-Clause; holds Dawn, of the same licence.',
  },
  {
    name: '@tensorflow/tfjs-core',
    text: 'is what @gradsim/tensorflow makes operations of. Apache-2.0.',
  },
  {
    name: 'three',
    text: 'is what @gradsim/three makes geometries for. MIT.',
  },
  {
    name: '@mcap/core, @foxglove/rosmsg, rosmsg-serialization, rosmsg2-serialization, wasm-zstd, wasm-lz4',
    text: 'read MCAP. MIT.',
  },
  {
    name: 'hyparquet, hyparquet-compressors',
    text: 'read Parquet. MIT.',
  },
  {
    name: '@libav.js/variant-webm-vp9',
    text:
      'reads and writes WebM in Node. LGPL-2.1: FFmpeg compiled to WebAssembly without its GPL parts, with libvpx (BSD-3-Clause) ' +
      'and libopus (BSD-3-Clause).',
  },
  {
    name: '@mediabunny/server',
    text:
      'reads and writes H.264 and more in Node. MPL-2.0, through node-av, which calls itself MIT but holds a native FFmpeg of ' +
      '175 MB that is built with GPL parts (x264, x265; version 3 of the licence). Its install script downloads one more program.',
  },
  {
    name: 'the program ffmpeg',
    text: 'reads H.264 and more in Node where it is installed. LGPL-2.1 or GPL, as whoever built it chose.',
  },
];

/**
 * @typedef {{ name: string, version: string, license: string, holders: string[], by: Set<string> }} Dependency
 */

/** All dependencies of published packages, theirs included, by name and version. */
function dependencies() {
  /** @type {Map<string, Dependency>} */
  const found = new Map();
  for (const { name, folder } of publishedPackages()) visit(folder, name, found, new Set());
  return sorted(found);
}

/** What `take-in.js` puts into files of published packages. */
function takenIn() {
  /** @type {Map<string, Dependency>} */
  const found = new Map();
  for (const { name, folder } of publishedPackages()) {
    const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = [...(scripts.build ?? '').matchAll(/take-in\.js((?: dist\/\S+\.js)+)/g)].flatMap(([, list]) =>
      [...list.matchAll(/dist\/(\S+)\.js/g)].map(([, file]) => file),
    );
    for (const file of files) {
      const source = readFileSync(join(folder, 'src', `${file}.ts`), 'utf8');
      const taken = [...source.matchAll(/ from '([^.'][^']*)'/g)]
        // The package of a module within it.
        .map(([, from]) =>
          from
            .split('/')
            .slice(0, from.startsWith('@') ? 2 : 1)
            .join('/'),
        );
      visit(folder, name, found, new Set(), taken);
    }
  }
  return sorted(found);
}

/** @param {Map<string, Dependency>} found */
const sorted = (found) =>
  [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));

/**
 * @param {string} folder of a package
 * @param {string} by the published package that brings it
 * @param {Map<string, Dependency>} found
 * @param {Set<string>} visited
 * @param {string[]} [names] of what it brings, in place of its dependencies
 */
function visit(folder, by, found, visited, names) {
  if (visited.has(folder)) return;
  visited.add(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of names ?? Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const place = placeOf(name, folder);
    // Those of other platforms are not installed.
    if (!place && manifest.optionalDependencies?.[name]) continue;
    if (!place) throw new Error(`${name}, which ${manifest.name} depends on, is not installed.`);
    const { version, license, private: isPrivate } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    if (!/^(@gradsim\/|(create-)?gradsim$)/.test(name) && !isPrivate) {
      const key = `${name} ${version}`;
      const known = found.get(key) ?? { name, version, license, holders: holdersOf(place), by: new Set() };
      known.by.add(by);
      found.set(key, known);
    }
    visit(place, by, found, visited);
  }
}

/**
 * Where a package finds another.
 * @param {string} name
 * @param {string} from
 */
function placeOf(name, from) {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return realpathSync(place);
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * The lines of a package's licence that say whose it is.
 * @param {string} folder
 */
function holdersOf(folder) {
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) return [];
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const said = lines.map((line) => line.trim()).filter((line) => /^copyright\b.*(\(c\)|©|\d{4})/i.test(line));
  return [...new Set(said)].slice(0, 3);
}

/** @param {Dependency} dependency */
const linesOf = ({ name, version, license, holders, by }) => [
  `${name} ${version}: ${license}`,
  ...holders.map((holder) => `  ${holder}`),
  `  with ${[...by].sort().join(', ')}`,
];

/** The text of NOTICE. @throws when something comes along under a licence that nobody has decided about. */
export function noticeText() {
  const [all, taken] = [dependencies(), takenIn()];
  const odd = [...all, ...taken].find(({ license }) => !ACCEPTED.includes(license));
  if (odd)
    throw new Error(
      `${odd.name} ${odd.version} comes along with ${[...odd.by].join(', ')} under ${odd.license ?? 'no licence'}, which is not accepted; ` +
        'make it an optional peer, or decide about it in scripts/docs/notice.js.',
    );
  const lines = [
    'gradsim is MIT licensed; see LICENSE. This file is written by `npm run notice`.',
    '',
    'Installed with the published packages:',
    '',
    ...all.flatMap(linesOf),
    '',
    'In files of the published packages, in parts, which begin with their licences:',
    '',
    ...taken.flatMap(linesOf),
    '',
    'Installed only by those who choose to, beside @gradsim/video, @gradsim/core, @gradsim/recordings and @gradsim/tensorflow:',
    '',
    ...OPTIONAL.map(({ name, text }) => `${name} ${text}`),
    '',
  ];
  return lines.join('\n');
}

export const noticeFile = join(root, 'NOTICE');

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(noticeFile, noticeText());
