// Which tests have something new since they last passed, for `npm test -- --changed`.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { root, stateFolder } from './root.js';
import { workspaceEnvironment } from './setup.js';

const passedFile = join(stateFolder, 'tests-passed.json');

/** A folder of the workspace's members, such as `packages/core`, from a path below it. @param {string} path */
export const memberOf = (path) => relative(root, path).split(/[\\/]/).slice(0, 2).join('/');

/**
 * A hash for each member that has tests, by its folder (`packages/core`): that of turbo's task `test`, which covers the
 * member's files and those of all members that it depends on, and the files of others that its tests import by path.
 * @returns {Map<string, string>}
 */
export function hashesOfTests() {
  const output = execFileSync('turbo', ['run', 'test', '--dry=json'], {
    cwd: root,
    env: workspaceEnvironment(),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  /** @type {{ task: string, package: string, directory: string, hash: string }[]} */
  const tasks = JSON.parse(output).tasks;
  /** Of the sources of a member and of all that it depends on, by its folder and by its name. @type {Map<string, string>} */
  const builds = new Map();
  for (const { task, package: name, directory, hash } of tasks)
    if (task === 'build') builds.set(directory, hash).set(name, hash);
  return new Map(
    tasks
      .filter(({ task, directory }) => task === 'test' && existsSync(join(root, directory, 'test')))
      .map(({ directory, hash }) => [directory, digest([hash, ...hashesByPath(directory, builds)])]),
  );
}

/**
 * Hashes of what the tests of a member take from elsewhere by path, of which turbo knows nothing: the pages of docs that they
 * name, the texts of files that they import, with what those import in turn, and turbo's hash where it is a source.
 * @param {string} folder
 * @param {Map<string, string>} builds
 */
function hashesByPath(folder, builds) {
  const test = join(root, folder, 'test');
  const files = new Set(
    readdirSync(test, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(test, file)),
  );
  /** @type {Set<string>} */
  const hashes = new Set();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const isOwn = memberOf(file) === folder;
    if (!isOwn) hashes.add(digest([text]));
    for (const [page] of text.matchAll(/\bdocs\/[\w/-]+\.md/g))
      if (existsSync(join(root, page))) hashes.add(digest([readFileSync(join(root, page), 'utf8')]));
    for (const [, module] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']*|@gradsim\/[\w-]+|gradsim\b)/g)) {
      if (!module.startsWith('.')) {
        if (!isOwn) hashes.add(`${module} ${builds.get(module)}`);
        continue;
      }
      const imported = resolve(dirname(file), module);
      const other = memberOf(imported);
      if (other === folder) continue;
      if (imported.startsWith(join(root, other, 'src'))) hashes.add(`${other} ${builds.get(other)}`);
      else if (existsSync(imported)) files.add(imported);
    }
  }
  return [...hashes].sort();
}

/** @param {string[]} texts */
function digest(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('hex');
}

/** @returns {Record<string, string>} */
const passed = () => (existsSync(passedFile) ? JSON.parse(readFileSync(passedFile, 'utf8')) : {});

/**
 * The members whose tests have not passed as they are now.
 * @param {Map<string, string>} hashes
 */
export function changedSincePassed(hashes) {
  const known = passed();
  return [...hashes].filter(([folder, hash]) => known[folder] !== hash).map(([folder]) => folder);
}

/**
 * Remembers for which hashes tests passed.
 * @param {Map<string, string>} hashes Before the tests ran.
 * @param {string[]} folders Members all of whose tests passed.
 */
export function rememberPassed(hashes, folders) {
  const now = Object.fromEntries(folders.map((folder) => [folder, hashes.get(folder)]));
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(passedFile, JSON.stringify({ ...passed(), ...now }));
}
