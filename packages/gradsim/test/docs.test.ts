import { readFileSync } from 'node:fs';
import { testPages } from '../../contact/test/pages.ts';

const { exports }: { exports: Record<string, unknown> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const parts = Object.keys(exports)
  .filter((entry) => entry !== '.' && entry !== './package.json')
  .map((entry) => entry.slice('./'.length));
const modules = await Promise.all(
  parts.map(async (part): Promise<[string, object]> => [`gradsim/${part}`, await import(`../src/parts/${part}.ts`)]),
);

testPages(['docs/guide/robot.md', 'docs/guide/start.md', 'packages/gradsim/README.md'], Object.fromEntries(modules));
