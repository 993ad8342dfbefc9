import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, stateFolder } from './root.js';

const bootstrap = join(root, '.pnpm-bootstrap');
const bootstrapBin = join(bootstrap, 'node_modules', '.bin');
const windows = process.platform === 'win32';

/** Thrown when a step of the set-up fails; the step has already printed why. */
export class SetUpError extends Error {}

/**
 * Runs a program of the workspace with all its output on standard error, so that standard output
 * belongs to the program that the user asked for.
 * @param {string} command
 * @param {string[]} args
 */
function runQuietly(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: workspaceEnvironment(),
    stdio: ['ignore', 2, 2],
    shell: windows,
  });
  if (status !== 0)
    throw new SetUpError(`\`${[command, ...args].join(' ')}\` failed${error ? `: ${error.message}` : ''}.`);
}

/**
 * The environment in which pnpm, turbo and the workspace's other tools are found, and call nobody. A registry given to
 * npm on its command line or in its environment is handed on: pnpm reads npm's files, but not these.
 */
export function workspaceEnvironment() {
  const { npm_config_registry: registry } = process.env;
  const path = [join(root, 'node_modules', '.bin'), bootstrapBin, process.env.PATH ?? ''].join(delimiter);
  return {
    ...(registry ? { pnpm_config_registry: registry } : {}),
    ...process.env,
    PATH: path,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
}

/**
 * Prepares everything: pnpm, the dependencies and what is built, each only when it is stale.
 * @param {string[]} [groups] of what to build: a program of the packages needs no app, and one that has a mistake does not
 * stop it.
 */
export function setUp(groups) {
  installDependencies();
  build(groups);
}

/** Makes pnpm available through npm, and installs the dependencies if a manifest has changed. */
export function installDependencies() {
  requireNode();
  const inputs = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((file) => join(root, file));
  for (const folder of memberFolders()) inputs.push(join(folder, 'package.json'));
  const fingerprint = hash(inputs.map((file) => readFileSync(file)));
  if (isCurrent('install', fingerprint)) return;
  installPnpm();
  runQuietly('pnpm', ['install', '--frozen-lockfile']);
  remember('install', fingerprint);
}

/** Groups of folders with a manifest each. */
const GROUPS = ['packages', 'apps', 'lab'];

/** Builds the packages and apps, or one group of them, if a source is newer than what was built. */
export function build(groups = GROUPS) {
  const folders = memberFolders(groups);
  const fingerprint = hash(sourceStamps(folders));
  const step = `build-${groups.join('-')}`;
  const built = folders.every((folder) => existsSync(join(folder, 'dist')));
  if (built && isCurrent(step, fingerprint)) return;
  const only = groups.map((group) => `--filter=./${group}/*`);
  runQuietly('turbo', ['run', 'build', ...only, '--output-logs=errors-only', '--log-order=grouped']);
  remember(step, fingerprint);
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetUpError(`gradsim needs Node 20.19 or newer; this is Node ${process.versions.node}.`);
}

/**
 * pnpm comes from npm, with the user's own npm settings, into a folder of its own. Corepack is not used: it
 * asks its own server for pnpm, whatever registry the user has set.
 */
function installPnpm() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = packageManager.split('@')[1];
  const manifest = join(bootstrap, 'node_modules', 'pnpm', 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return;
  mkdirSync(bootstrap, { recursive: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  runQuietly('npm', ['install', ...quiet, '--prefix', bootstrap, packageManager]);
}

/** The folders of all packages and apps, or of one group. */
export function memberFolders(groups = GROUPS) {
  return groups.flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  );
}

/**
 * Path, size and time of change of every file that a build reads.
 * @param {string[]} folders
 */
function sourceStamps(folders) {
  const scripts = readdirSync(join(root, 'scripts/build')).map((name) => `scripts/build/${name}`);
  const shared = ['tsconfig.base.json', 'tsconfig.build.json', ...scripts];
  const stamps = shared.map((file) => stamp(join(root, file)));
  for (const folder of folders) {
    stamps.push(stamp(join(folder, 'package.json')));
    // The studio is built by a bundler.
    const compiler = join(folder, 'tsconfig.build.json');
    if (existsSync(compiler)) stamps.push(stamp(compiler));
    for (const entry of readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) stamps.push(stamp(join(entry.parentPath, entry.name)));
  }
  return stamps;
}

/** @param {string} file */
function stamp(file) {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}\n`;
}

/** @param {(string | Buffer)[]} chunks */
function hash(chunks) {
  const digest = createHash('sha256');
  for (const chunk of chunks) digest.update(chunk);
  return digest.digest('hex');
}

/**
 * @param {string} step
 * @param {string} fingerprint
 */
function isCurrent(step, fingerprint) {
  const file = join(stateFolder, step);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint;
}

/**
 * @param {string} step
 * @param {string} fingerprint
 */
function remember(step, fingerprint) {
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(join(stateFolder, step), fingerprint);
}

/**
 * Runs a set-up step for a script: a failure is a sentence on standard error and exit code 1.
 * @param {() => void} step
 */
export function orExit(step) {
  try {
    step();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) orExit(setUp);
