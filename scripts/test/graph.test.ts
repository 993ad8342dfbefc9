import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { file, picture } from '../docs/graph.js';

it('the picture of packages in docs/reference/architecture.md is that of the package.json files; `npm run graph` renews it', async () => {
  const drawn = await picture();
  expect(drawn).toContain('render&#45;&gt;core');
  expect(readFileSync(file, 'utf8')).toBe(drawn);
});
