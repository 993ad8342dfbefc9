// The pages of exports are those of the built packages: who changes what a package exports sees it there, and so do reviewers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiFolder, apiPages } from '../docs/api.js';

it('docs/reference/api is what packages export; `npm run api` writes it anew', () => {
  const pages = apiPages();
  expect(readdirSync(apiFolder).sort()).toEqual([...pages.keys()].sort());
  for (const [file, text] of pages) expect(readFileSync(join(apiFolder, file), 'utf8') === text, file).toBe(true);
});
