// Writes scripts/vitest/turns.json, by which slow tests take turns (turns.ts): the seconds that they take, by file and full name.
// They are those of the last `npm test` where it took a test, else those that it had: CHOICE=all npm test takes all.
// Suites whose preparation is slow, or whose tests go on from each other, take turns as a whole (`isTurnOf` and `drawn` of
// draws.ts), and their tests none.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, stateFolder } from '../root.js';

/** Tests below this take no turns, s. */
const SLOW = 1;

/** Files that judge the repository and its pages as a whole, which a change anywhere can break: all runs take them. */
const ALWAYS = /^scripts\/|\/(docs|rooms)\.test\.ts$/;

/** @type {{ testResults: { name: string, assertionResults: { ancestorTitles: string[], title: string, status: string, duration?: number }[] }[] }} */
const report = JSON.parse(readFileSync(join(stateFolder, 'tests.json'), 'utf8'));
const byTests = report.testResults.filter(
  ({ name }) => !/isTurnOf\(|describe\.each\(drawn\(/.test(readFileSync(name, 'utf8')),
);
const file = new URL('./turns.json', import.meta.url);
/** @type {Record<string, Record<string, number>>} */
const before = JSON.parse(readFileSync(file, 'utf8'));
const measured = byTests.map(({ name, assertionResults }) => {
  const path = relative(root, name).replaceAll('\\', '/');
  const seconds = { ...before[path] };
  for (const { ancestorTitles, title, status, duration = 0 } of assertionResults) {
    if (status !== 'passed') continue;
    const test = [...ancestorTitles, title].join(' > ');
    if (duration < 1000 * SLOW) delete seconds[test];
    else seconds[test] = Number((duration / 1000).toPrecision(2));
  }
  return [path, seconds];
});
const table = Object.entries({ ...before, ...Object.fromEntries(measured) })
  .filter(([path, slow]) => !ALWAYS.test(path) && existsSync(join(root, path)) && Object.keys(slow).length > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(file, `${JSON.stringify(Object.fromEntries(table), null, 2)}\n`);
