import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NOT_OF_TIMES, unevenTimes } from '../../src/verdict/checks/clock.ts';
import { CHECKS } from '../../src/verdict/checks.ts';

it('the list of checks is in the order of their ranks', () => {
  const ranks = CHECKS.map(({ rank }) => rank);
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
});

it('the kinds that uneven times do not cause are kinds of checks', () => {
  const kinds = new Set(CHECKS.map(({ kind }) => kind));
  expect([...NOT_OF_TIMES].filter((kind) => !kinds.has(kind))).toEqual([]);
});

it('the README has every kind of finding', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, table] = readme.split('## Can it be trusted');
  const named = new Set(
    table.split('\n').flatMap((line) => (line.split('|')[1] ?? '').match(/(?<=`)[^`]+(?=`)/g) ?? []),
  );
  expect([unevenTimes, ...CHECKS].map(({ kind }) => kind).filter((kind) => !named.has(kind))).toEqual([]);
});
