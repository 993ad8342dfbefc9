import { readFileSync } from 'node:fs';
import { transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';

/** Modules that the code of documentation pages may import, by name. */
export type Modules = Readonly<Record<string, object>>;

/** Returns the code blocks of a page in TypeScript, concatenated, since later ones may build on earlier ones. */
function codeOf(page: string): string {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n');
}

/** Runs TypeScript code whose imports are replaced by the given modules. */
async function runCode(page: string, code: string, modules: Modules): Promise<void> {
  const { code: javascript } = await transformWithOxc(code, `${page}.ts`);
  const body = javascript
    .replace(
      /^import\s*(?:(\{[^}]*\}|\* as \w+)\s*from\s*)?["']([^"']+)["'];?$/gm,
      (_, names: string | undefined, module: string) => {
        if (!modules[module]) throw new Error(`${page} imports ${module}, which this test does not know.`);
        // A side-effect import; this test has imported it already.
        if (names === undefined) return '';
        const bound = names.startsWith('{') ? names.replace(/\bas\b/g, ':') : names.slice('* as '.length);
        return `const ${bound} = modules[${JSON.stringify(module)}];`;
      },
    )
    .replace(/^export default /gm, 'void ')
    .replace(/^export /gm, '');
  const run = new Function('modules', `return (async () => {\n${body}\n})();`) as (given: object) => Promise<void>;
  await run(modules);
}

/** Adds a test for each page that its code runs. */
export function testPages(pages: readonly string[], modules: Modules): void {
  describe('code of the documentation runs:', () => {
    for (const page of pages) {
      it(page, async () => {
        const code = codeOf(page);
        expect(code).not.toBe('');
        await runCode(page, code, modules);
      });
    }
  });
}
