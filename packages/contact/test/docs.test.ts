import { readFileSync } from 'node:fs';
import * as contact from '@gradsim/contact';
import * as core from '@gradsim/core';
import * as testing from '@gradsim/core/testing';
import * as mesh from '@gradsim/mesh';
import * as rigid from '@gradsim/rigid';
import { transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';

// Here, because this package has all that the pages need.
const MODULES: Readonly<Record<string, object>> = {
  '@gradsim/contact': contact,
  '@gradsim/core': core,
  '@gradsim/core/testing': testing,
  '@gradsim/mesh': mesh,
  '@gradsim/rigid': rigid,
};
const PAGES = [
  'docs/kernels.md',
  'docs/plugins.md',
  'packages/core/README.md',
  'packages/rigid/README.md',
  'packages/contact/README.md',
];

/** The TypeScript of a page's code blocks, one after another: later ones build on earlier ones. */
function codeOf(page: string): string {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');
}

/** Runs TypeScript whose imports are of {@link MODULES}. */
async function runCode(page: string, code: string): Promise<void> {
  const { code: javascript } = await transformWithOxc(code, `${page}.ts`);
  const body = javascript
    .replace(/^import\s*(\{[^}]*\})\s*from\s*["']([^"']+)["'];?$/gm, (_, names: string, module: string) => {
      if (!MODULES[module]) throw new Error(`${page} imports ${module}, which this test does not know.`);
      return `const ${names.replace(/\bas\b/g, ':')} = modules[${JSON.stringify(module)}];`;
    })
    .replace(/^export /gm, '');
  const run = new Function('modules', `return (async () => {\n${body}\n})();`) as (
    modules: object,
  ) => Promise<void>;
  await run(MODULES);
}

describe('the code of the pages runs', () => {
  for (const page of PAGES) {
    it(page, async () => {
      const code = codeOf(page);
      expect(code).not.toBe('');
      await runCode(page, code);
    });
  }
});
