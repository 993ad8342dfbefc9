import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { pageOf, visit } from './visit.ts';

/** A page that answers questions, in a headless browser. */
export interface BundledPage {
  /**
   * Opens the page, which finds the question as JSON in its element `question`, and waits for what it posts to `/report`.
   * @throws as {@link visit} does.
   */
  ask<T>(question: unknown, seconds: number): Promise<T>;
  /** Deletes its files. */
  dispose(): Promise<void>;
}

/**
 * Bundles a program of a page with all that it imports, so that nothing is asked of any network.
 *
 * @param browser path of a Chromium. Its WebGL may be software.
 * @param input the program.
 */
export async function bundlePage(browser: string, input: string): Promise<BundledPage> {
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-page-'));
  const bundle = await rolldown({ input });
  await bundle.write({ dir: folder, entryFileNames: 'page.js' });
  await bundle.close();
  return {
    ask: async <T>(question: unknown, seconds: number): Promise<T> => {
      const json = JSON.stringify(question).replaceAll('<', '\\u003c');
      const html = `${pageOf('/page.js')}<body><script id="question" type="application/json">${json}</script>`;
      return (await visit<T>(browser, { folder, html }, seconds)).report;
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
