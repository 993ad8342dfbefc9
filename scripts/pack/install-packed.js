import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, publishedPackages } from '../packages.js';
import { workspaceEnvironment } from '../setup.js';

/** The package that has all others, and the command. */
export const DOOR = 'gradsim';

/** The full name of a package. @param {string} name */
export const named = (name) => (name === DOOR ? name : `@gradsim/${name}`);

/**
 * Works in an empty folder outside of the repository, where nothing that no package.json names is found, and removes it.
 * @template T
 * @param {(folder: string) => T | Promise<T>} work
 */
export async function elsewhere(work) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gradsim-installed-')));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Packs packages, with those that they need, and installs them in a folder as a user's.
 * @param {string} folder
 * @param {string[]} asked What the user asks for, without `@gradsim/`.
 * @param {Record<string, string>} [others] What else, by name: `file:...`.
 */
export function installPacked(folder, asked, others = {}) {
  const places = packInto(folder, asked.map(named));
  const dependencies = {
    ...Object.fromEntries(asked.map((name) => [named(name), places[named(name)]])),
    ...others,
  };
  const manifest = { name: 'a-users-folder', private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  install(folder, places);
}

/** @param {string} name */
const plainTarball = (name) => `${name.replace('/', '-')}.tgz`;

/**
 * Packs packages into a folder, with those of the workspace that they need. Returns where each is, by name, for
 * {@link install}; what they need of others is linked to what the workspace has installed.
 * @param {string} folder
 * @param {string[]} asked
 * @param {(name: string, bytes: Uint8Array) => string} [tarballOf] The name of a package's file.
 */
export function packInto(folder, asked, tarballOf = plainTarball) {
  /** @type {Record<string, string>} */
  const places = {};
  const folders = new Map(publishedPackages().map((published) => [published.name, published.folder]));
  const names = new Set(asked);
  for (const name of names) {
    const from = /** @type {string} */ (folders.get(name));
    const bytes = pack(from);
    const tarball = tarballOf(name, bytes);
    writeFileSync(join(folder, tarball), bytes);
    places[name] = `file:${tarball}`;
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    for (const peer of Object.keys(peerDependencies))
      if (folders.has(peer) && !peerDependenciesMeta[peer]?.optional) names.add(peer);
    for (const need of Object.keys(dependencies)) {
      if (folders.has(need)) names.add(need);
      else places[`${name}>${need}`] = `link:${realpathSync(join(from, 'node_modules', need))}`;
    }
  }
  return places;
}

/**
 * Installs what the package.json of a folder names. It needs no network.
 * @param {string} folder
 * @param {Record<string, string>} places Of packages, by name, whatever version is asked for.
 */
export function install(folder, places) {
  // JSON is YAML.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ hoist: false, overrides: places }));
  mustSucceed(run(folder, 'pnpm', ['install', '--offline', '--ignore-scripts', '--reporter=silent']));
}

/** @param {{ command: string, status: number | null, stdout: string, stderr: string }} result */
export function mustSucceed({ command, status, stdout, stderr }) {
  if (status !== 0) throw new Error(`\`${command}\` failed:\n${stderr}${stdout}`);
}

/**
 * Runs a program to its end.
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
export function run(cwd, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: workspaceEnvironment(),
    encoding: 'utf8',
    shell: process.platform === 'win32' && command !== process.execPath,
  });
  return { command: [command, ...args].join(' '), status, stdout, stderr };
}
