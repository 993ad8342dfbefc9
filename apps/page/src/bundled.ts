import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { Browser, pageOf } from './visit.ts';

/** A page that answers questions, in a headless browser. */
export interface BundledPage {
  /**
   * Opens the page, which finds the question as JSON in its element `question`, and waits for what it posts to `/report`.
   * @throws as {@link Browser.visit} does.
   */
  ask<T>(question: unknown, seconds: number): Promise<T>;
  /** Closes the browser and deletes the page's files. */
  dispose(): Promise<void>;
}

/**
 * Bundles a program of a page with all that it imports, so that nothing is asked of any network.
 *
 * @param executable path of a Chromium. Its WebGL may be software.
 * @param input the program.
 */
export async function bundlePage(executable: string, input: string): Promise<BundledPage> {
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-page-'));
  const bundle = await rolldown({ input });
  await bundle.write({ dir: folder, entryFileNames: 'page.js' });
  await bundle.close();
  const browser = await Browser.open(executable);
  return {
    ask: async <T>(question: unknown, seconds: number): Promise<T> => {
      const json = JSON.stringify(question).replaceAll('<', '\\u003c');
      const html = `${pageOf('/page.js')}<body><script id="question" type="application/json">${json}</script>`;
      return (await browser.visit<T>({ folder, html }, seconds)).report;
    },
    dispose: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
