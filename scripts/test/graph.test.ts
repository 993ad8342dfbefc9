import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { page, renewedPage } from '../graph.js';

it('the picture of packages in docs/reference/architecture.md is that of the package.json files; `npm run graph` renews it', () => {
  expect(renewedPage()).toContain('render --> core');
  expect(readFileSync(page, 'utf8')).toBe(renewedPage());
});
