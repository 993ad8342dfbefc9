import { readFileSync } from 'node:fs';
import * as core from '@gradsim/core';
import * as particles from '@gradsim/particles';
import { expect, it } from 'vitest';
import { testPages } from '../../contact/test/pages.ts';
import * as template from '../template/plugin/src/index.ts';

testPages(['packages/create-gradsim/template/plugin/README.md'], {
  '@gradsim/core': core,
  '@gradsim/particles': particles,
  'my-plugin': template,
});

it.each([
  ['node/fall.js', 'start'],
  ['vite/src/main.ts', 'page'],
  ['kind/src/drop.ts', 'kind'],
])('%s is the first program of docs/guide/%s.md', (file, guide) => {
  const page = readFileSync(new URL(`../../../docs/guide/${guide}.md`, import.meta.url), 'utf8');
  expect(readFileSync(new URL(`../template/${file}`, import.meta.url), 'utf8')).toBe(/```ts\n(.*?)```/s.exec(page)![1]);
});
