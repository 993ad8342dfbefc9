// npm test: set-up, lint, types, build, all tests, and checks of every packed package, of an experiment that installs
// some of them, of programs by outsiders, and of a plugin that npm create starts. Goes on after a failure, so that one
// run shows everything, and ends with one line of true counts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, stateFolder } from './root.js';
import { build, installDependencies, SetUpError, workspaceEnvironment } from './setup.js';
import { offerSoftwareVulkan } from './vulkan.js';

const colours = process.stdout.isTTY ? '--colors=force' : '--colors=off';

const counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * One check, counted as passed or failed.
 * @param {string} name
 * @param {() => boolean | Promise<boolean>} check
 */
async function count(name, check) {
  console.log(`\n--- ${name}`);
  const start = performance.now();
  let passed = false;
  try {
    passed = await check();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    console.error(error.message);
  }
  counts[passed ? 'passed' : 'failed']++;
  console.log(`${passed ? 'ok' : 'FAILED'}: ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  return passed;
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const options = /** @type {const} */ ({ cwd: root, env: workspaceEnvironment(), stdio: 'inherit' });
  return spawnSync(command, args, { ...options, shell: process.platform === 'win32' }).status === 0;
}

/**
 * Runs vitest and adds what it counted. A file that could not be loaded is one failure, and so is a run that fails
 * with no failed test (an error outside tests, or no report at all).
 */
function runTests() {
  console.log('\n--- tests');
  mkdirSync(stateFolder, { recursive: true });
  const report = join(stateFolder, 'tests.json');
  rmSync(report, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const succeeded = run('vitest', ['run', ...reporters]);
  let failed = 0;
  if (existsSync(report)) {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    counts.passed += result.numPassedTests;
    counts.skipped += result.numPendingTests + result.numTodoTests;
    failed = result.numFailedTests;
    for (const file of result.testResults) if (file.status === 'failed' && file.assertionResults.length === 0) failed++;
  }
  counts.failed += succeeded ? 0 : Math.max(failed, 1);
}

/**
 * A check that passes where it finds no problems, which are printed otherwise.
 * @param {string} name
 * @param {() => Promise<string[]>} find
 */
const countProblems = (name, find) =>
  count(name, async () => {
    const problems = await find();
    for (const problem of problems) console.error(problem);
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
  const args = ['apps/bench/dist/fuzz.js', '--count', '500', '--seed', '20260101'];
  return count('500 files, scenes, series of calls and command lines, right or wrong', () =>
    run(process.execPath, args),
  );
}

/** The packages of one experiment, installed where nothing else is. */
async function checkInstallation() {
  const { problemsOfInstallation } = await import('./installed.js');
  await countProblems('an experiment with packed packages, outside of the repository', problemsOfInstallation);
}

/** A plugin as its author starts it, where nothing else is. */
async function checkNewPlugin() {
  const { problemsOfNewPlugin } = await import('./created.js');
  await countProblems('a plugin of npm create, outside of the repository', problemsOfNewPlugin);
}

/** Programs written from the documentation alone, with the packages that they install: a separate count for each. */
async function checkOutsiders() {
  const { elsewhere } = await import('./install-packed.js');
  const { checkTypesOfOutsiders, installForOutsiders, outsiders, runOutsider } = await import('./outsider-programs.js');
  await elsewhere(async (folder) => {
    await count('packed packages for programs of outsiders', () => attempt(() => installForOutsiders(folder)));
    await count('types of the programs of outsiders', () => attempt(() => checkTypesOfOutsiders(folder)));
    for (const name of outsiders)
      await count(`program of an outsider: ${name}`, () => attempt(() => console.log(runOutsider(folder, name))));
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
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

function finish() {
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed === 0 ? 0 : 1);
}

const ready = await count('set-up', () => {
  installDependencies();
  return true;
});
if (!ready) finish();

offerSoftwareVulkan();
await count('lint', () => run('biome', ['ci', colours, '--error-on-warnings', '.']));
await count('types', () => run('tsc', ['-p', 'tsconfig.json']));
const built = await count('build', () => {
  build();
  return true;
});
runTests();
if (built) {
  await checkWrongInputs();
  await checkPackages();
  await checkInstallation();
  await checkNewPlugin();
  await checkOutsiders();
}
finish();
