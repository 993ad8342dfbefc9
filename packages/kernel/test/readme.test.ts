import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import * as kernel from '@gradsim/kernel';
import * as device from '@gradsim/kernel/device';
import * as testing from '@gradsim/kernel/testing';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { testPages } from '../../contact/test/pages.ts';

const PAGE = 'packages/kernel/README.md';

const printed: string[] = [];
beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation((value) => {
    printed.push(typeof value === 'string' ? value : inspect(value));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  // The output that the page claims.
  const text = readFileSync(new URL(`../../../${PAGE}`, import.meta.url), 'utf8');
  expect(printed).toEqual([...text.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said));
  expect(printed.length).toBeGreaterThan(4);
});

testPages([PAGE], {
  '@gradsim/kernel': kernel,
  '@gradsim/kernel/device': device,
  '@gradsim/kernel/testing': testing,
});
