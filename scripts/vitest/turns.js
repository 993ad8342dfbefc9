// Writes scripts/vitest/turns.json, by which slow tests take turns (turns.ts): the seconds that they take, by file and full name.
// They are those of the last `npm test`, which has to have taken all: CHOICE=all npm test && node scripts/vitest/turns.js
// Suites whose preparation is slow, or whose tests go on from each other, take turns as a whole (`isTurnOf` and `drawn` of
// draws.ts), and their tests none.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, stateFolder } from '../root.js';

/** Tests below this take no turns, s. */
const SLOW = 1;

/** @type {{ testResults: { name: string, assertionResults: { ancestorTitles: string[], title: string, duration?: number }[] }[] }} */
const report = JSON.parse(readFileSync(join(stateFolder, 'tests.json'), 'utf8'));
const byTests = report.testResults.filter(
  ({ name }) => !/isTurnOf\(|describe\.each\(drawn\(/.test(readFileSync(name, 'utf8')),
);
const files = byTests.map(({ name, assertionResults }) => {
  const seconds = assertionResults.map(({ ancestorTitles, title, duration = 0 }) => [
    [...ancestorTitles, title].join(' > '),
    Number((duration / 1000).toPrecision(2)),
  ]);
  const slow = seconds.filter(([, duration]) => Number(duration) >= SLOW);
  return [relative(root, name).replaceAll('\\', '/'), Object.fromEntries(slow)];
});
const table = Object.fromEntries(
  files.filter(([, slow]) => Object.keys(slow).length).sort(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(new URL('./turns.json', import.meta.url), `${JSON.stringify(table, null, 2)}\n`);
