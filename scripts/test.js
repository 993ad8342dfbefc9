// npm test: set-up, lint, types, build, all tests, and checks of every packed package, of an experiment that installs
// some of them, of programs by outsiders, and of projects that npm create starts. Goes on after a failure, so that one
// run shows everything, and ends with one line of true counts. `npm test -- --changed` leaves out the tests of packages in
// which, with all that they depend on, nothing is new since their tests last passed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedSincePassed, hashesOfTests, memberOf, rememberPassed } from './changed.js';
import { root, stateFolder } from './root.js';
import { build, installDependencies, SetUpError, workspaceEnvironment } from './setup.js';
import { offerSoftwareVulkan } from './vulkan.js';

const colours = process.stdout.isTTY ? '--colors=force' : '--colors=off';

const { changed: onlyChanged } = parseArgs({ options: { changed: { type: 'boolean', default: false } } }).values;

const counts = { passed: 0, failed: 0, skipped: 0 };

/** What checks print while the tests run and print themselves; null while nothing else prints. @type {string[] | null} */
let held = null;

/** @param {string} text */
function print(text) {
  if (held) held.push(text);
  else console.log(text);
}

/**
 * One check, counted as passed or failed.
 * @param {string} name
 * @param {() => boolean | Promise<boolean>} check
 */
async function count(name, check) {
  print(`\n--- ${name}`);
  const start = performance.now();
  let passed = false;
  try {
    passed = await check();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    print(error.message);
  }
  counts[passed ? 'passed' : 'failed']++;
  print(`${passed ? 'ok' : 'FAILED'}: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return passed;
}

/**
 * Starts a program, and resolves to what prints what it said, and returns whether it went well.
 * @param {string} command
 * @param {string[]} args
 */
async function started(command, args) {
  const child = spawn(command, args, { cwd: root, env: workspaceEnvironment(), shell: process.platform === 'win32' });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const [status] = await once(child, 'close');
  return () => {
    if (said) print(said.trimEnd());
    return status === 0;
  };
}

/**
 * Starts vitest, and adds what it counted when it has ended. A file that could not be loaded is one failure, and so is a
 * run that fails with no failed test (an error outside tests, or no report at all).
 */
async function runTests() {
  console.log('\n--- tests');
  const hashes = hashesOfTests();
  const folders = onlyChanged ? changedSincePassed(hashes) : [];
  if (onlyChanged)
    console.log(`Tested, since something is new there or in what it depends on: ${folders.join(', ') || 'nothing'}`);
  mkdirSync(stateFolder, { recursive: true });
  const report = join(stateFolder, 'tests.json');
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  // A folder's name with its slash: `packages/render/` are no tests of `packages/render-dibr`.
  const filters = onlyChanged ? ['scripts/test', ...folders].map((folder) => `${folder}/`) : [];
  const options = /** @type {const} */ ({ cwd: root, env: workspaceEnvironment(), stdio: 'inherit' });
  const vitest = spawn('vitest', ['run', ...reporters, ...filters], {
    ...options,
    shell: process.platform === 'win32',
  });
  const [status] = await once(vitest, 'close');
  let failed = 0;
  if (existsSync(report)) {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    counts.passed += result.numPassedTests;
    counts.skipped += result.numPendingTests + result.numTodoTests;
    failed = result.numFailedTests;
    const failedIn = new Set();
    for (const { name, status, assertionResults } of result.testResults) {
      if (status !== 'failed') continue;
      failedIn.add(memberOf(name));
      if (assertionResults.length === 0) failed++;
    }
    const tested = onlyChanged ? folders : [...hashes.keys()];
    if (status === 0 || failed > 0)
      rememberPassed(
        hashes,
        tested.filter((folder) => !failedIn.has(folder)),
      );
  }
  counts.failed += status === 0 ? 0 : Math.max(failed, 1);
}

/**
 * A check that passes where it finds no problems, which are printed otherwise.
 * @param {string} name
 * @param {() => Promise<string[]>} find
 */
const countProblems = (name, find) =>
  count(name, async () => {
    const problems = await find();
    for (const problem of problems) print(problem);
    return problems.length === 0;
  });

/** Every published package, packed: a separate count for each. */
async function checkPackages() {
  // Loaded only now: on a fresh machine its dependencies come with the set-up.
  const { problemsOfPackage, publishedPackages } = await import('./packages.js');
  for (const { name, folder } of publishedPackages()) {
    await countProblems(`package ${name}`, () => problemsOfPackage(folder));
  }
}

/** Inputs that are wrong on purpose, and right ones: those of a seed that benches do not use. */
function checkWrongInputs() {
  const args = ['lab/bench/dist/fuzz.js', '--count', '100', '--seed', '20260101'];
  return count('100 files, scenes, series of calls and command lines, right or wrong', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    print(`${stdout}${stderr}`.trimEnd());
    return status === 0;
  });
}

/** The packages of one experiment, installed where nothing else is. */
async function checkInstallation() {
  const { problemsOfInstallation } = await import('./pack/installed.js');
  await countProblems('an experiment with packed packages, outside of the repository', problemsOfInstallation);
}

/** Projects as their authors start them, where nothing else is: a separate count for each. */
async function checkNewProjects() {
  const { problemsOfProject, tried } = await import('./pack/created.js');
  for (const template of tried)
    await countProblems(`npm create gradsim ${template}, outside of the repository`, () => problemsOfProject(template));
}

/** Programs written from the documentation alone, with the packages that they install: a separate count for each. */
async function checkOutsiders() {
  const { elsewhere } = await import('./pack/install-packed.js');
  const { checkTypesOfOutsiders, installForOutsiders, outsiders, runOutsider } = await import(
    './pack/outsider-programs.js'
  );
  await elsewhere(async (folder) => {
    await count('packed packages for programs of outsiders', () => attempt(() => installForOutsiders(folder)));
    await count('types of the programs of outsiders', () => attempt(() => checkTypesOfOutsiders(folder)));
    for (const name of outsiders)
      await count(`program of an outsider: ${name}`, () => attempt(() => print(runOutsider(folder, name))));
  });
}

/**
 * Whether something goes through; why it does not is printed.
 * @param {() => void} work
 */
function attempt(work) {
  try {
    work();
    return true;
  } catch (error) {
    print(String(error instanceof Error ? error.message : error));
    return false;
  }
}

function finish() {
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed === 0 ? 0 : 1);
}

/** Number of the last commit's code, so that one commit takes the same tests wherever it is tested, and its documentation no others. */
function choiceOfCommit() {
  const trees = ['packages', 'apps', 'lab', 'scripts'].map((folder) => `HEAD:${folder}`);
  const { status, stdout } = spawnSync('git', ['rev-parse', ...trees], { cwd: root, encoding: 'utf8' });
  if (status !== 0) return Math.floor(Math.random() * 2 ** 31);
  return parseInt(createHash('sha256').update(stdout).digest('hex').slice(0, 7), 16);
}

// One for all tests (scripts/vitest/draws.ts).
process.env.CHOICE ??= process.env.SEED ?? String(choiceOfCommit());
console.log(`Slow tests are chosen by CHOICE=${process.env.CHOICE}`);
const ready = await count('set-up', () => {
  installDependencies();
  return true;
});
if (!ready) finish();

offerSoftwareVulkan();
// Beside the build: none of them keeps two cores busy.
const lint = started('biome', ['ci', colours, '--error-on-warnings', '.']);
const types = started('tsc', ['-p', 'tsconfig.json']);
const built = await count('build', () => {
  build();
  return true;
});
await count('lint', async () => (await lint)());
await count('types', async () => (await types)());
const tests = runTests();
// Beside the tests, which do not keep all cores busy by themselves.
held = [];
try {
  if (built) {
    await checkWrongInputs();
    await checkPackages();
    await checkInstallation();
    await checkNewProjects();
    await checkOutsiders();
  }
} finally {
  await tests;
  console.log(held.join('\n'));
}
finish();
