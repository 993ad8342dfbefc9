import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { memberFolders, workspaceEnvironment } from './setup.js';

/** Ways of importing that a package of ES modules does not serve (attw's profile `esm-only`). */
const notServed = ['node10', 'node16-cjs'];

/** The packages that are published: name and folder. */
export function publishedPackages() {
  return memberFolders().flatMap((folder) => {
    const { name, private: unpublished } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return unpublished ? [] : [{ name, folder }];
  });
}

/**
 * Packs a package as it would be published and looks at the result with publint and are-the-types-wrong.
 * Returns one sentence for each problem. Both run as libraries in one process, 0.2 s a package; as commands
 * they take 2.5 s.
 * @param {string} folder
 */
export async function problemsOfPackage(folder) {
  const tarball = pack(folder);
  /** @type {string[]} */
  const problems = [];

  const { messages, pkg } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true });
  for (const message of messages) problems.push(`publint: ${formatMessage(message, pkg, { color: false })}`);

  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) return [...problems, 'are the types wrong: the package has no types.'];
  for (const problem of analysis.problems) {
    if ('resolutionKind' in problem && notServed.includes(problem.resolutionKind)) continue;
    problems.push(`are the types wrong: ${JSON.stringify(problem)}`);
  }
  return problems;
}

/** What has been packed, by folder: nothing changes while this program runs. @type {Map<string, Uint8Array>} */
const packed = new Map();

/**
 * The bytes of the package file that would be published; packed once.
 * @param {string} folder
 */
export function pack(folder) {
  const tarball = packed.get(folder) ?? packAnew(folder);
  packed.set(folder, tarball);
  return tarball;
}

/** @param {string} folder */
function packAnew(folder) {
  const destination = mkdtempSync(join(tmpdir(), 'gradsim-pack-'));
  try {
    const args = ['pack', '--json', '--pack-destination', destination];
    const output = execFileSync('pnpm', args, { cwd: folder, env: workspaceEnvironment(), encoding: 'utf8' });
    return new Uint8Array(readFileSync(JSON.parse(output).filename));
  } finally {
    rmSync(destination, { recursive: true });
  }
}
