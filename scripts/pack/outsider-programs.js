// The programs of lab/outsiders: written from the documentation alone, run where only packed packages are.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';
import { installPacked, mustSucceed, named, run } from './install-packed.js';

const home = join(root, 'lab/outsiders');

/** What a program may install; it may import nothing else. */
const offered = [
  ...[
    'contact',
    'core',
    'dynamics',
    'mesh',
    'optim',
    'particles',
    'render',
    'render-dibr',
    'render-softras',
    'rigid',
    'springs',
  ],
];

/** Reference cases that a program compares with, where they lie beside the repository. */
const references = new Map([['smoke', join(root, '../shared/reference/smoke-0.json')]]);

/** Largest error of a gradient, relative, against central differences of the whole run. */
const tolerance = 1e-6;

export const outsiders = readdirSync(home)
  .filter((file) => file.endsWith('.js'))
  .map((file) => basename(file, '.js'));

/** @param {string} name */
const textOf = (name) => readFileSync(join(home, `${name}.js`), 'utf8');

/**
 * Why a program is not one of an outsider: it imports what no package exports, or brings a derivative of its own.
 * Returns one sentence for each reason.
 * @param {string} name
 * @param {string} [text]
 */
export function problemsOfText(name, text = textOf(name)) {
  const entries = publicEntries();
  const imported = [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"`])(.*?)\1/g)].map(([, , module]) => module);
  return [
    ...imported
      .filter((module) => !module.startsWith('node:') && !entries.has(module))
      .map((module) => `${name} imports ${module}, which is no public entry of a package that is offered.`),
    ...[...new Set(text.match(/\b\w*(?:adjoint|vjp|jvp|tangentOf)\w*/gi))].map(
      (word) => `${name} says "${word}": its derivatives are to be derived.`,
    ),
    ...(text.includes('checkGradients(') ? [] : [`${name} checks no gradient.`]),
  ];
}

/** Everything that can be imported from the packages that are offered. */
function publicEntries() {
  const folders = publishedPackages().filter(({ name }) => offered.map(named).includes(name));
  const entries = folders.flatMap(({ name, folder }) => {
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.keys(exports).map((entry) => name + entry.slice(1));
  });
  return new Set(entries);
}

/**
 * Installs packed packages and copies all programs into a folder.
 * @param {string} folder
 */
export function installForOutsiders(folder) {
  installPacked(folder, offered, { '@types/node': `link:${join(root, 'node_modules/@types/node')}` });
  for (const name of outsiders) copyFileSync(join(home, `${name}.js`), join(folder, `${name}.js`));
}

/**
 * Checks the types of all programs against what the packages declare.
 * @param {string} folder
 */
export function checkTypesOfOutsiders(folder) {
  const compilerOptions = {
    allowJs: true,
    checkJs: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    module: 'NodeNext',
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.js'] }));
  mustSucceed(run(folder, 'tsc', ['-p', '.']));
}

/**
 * Runs a program, which throws where something is not as it should be, and gives the line that it prints.
 * @param {string} folder
 * @param {string} name
 */
export function runOutsider(folder, name) {
  const reference = references.get(name);
  const given = reference && existsSync(reference) ? [reference] : [];
  const result = run(folder, process.execPath, [`${name}.js`, ...given]);
  mustSucceed(result);
  const { program, gradientError, seconds } = JSON.parse(result.stdout);
  if (program !== name || !(gradientError < tolerance) || !(seconds > 0))
    throw new Error(`${name} printed ${result.stdout}`);
  return result.stdout.trim();
}
