import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KINDS } from '../../packages/kinds/src/index.ts';
import { PAGE, pageOf } from '../docs/kinds.js';

it('docs/reference/kinds.md is what `node scripts/docs/kinds.js` writes', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOf(KINDS));
});
