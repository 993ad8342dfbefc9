import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { Browser, pageOf } from './visit.ts';

/** A page that answers questions, in a headless browser. */
export interface BundledPage {
  /**
   * Opens the page with the question, as JSON in its element `question`, and returns what the page posts to `/report`.
   * `seconds` is the time limit.
   * @throws as {@link Browser.visit} does.
   */
  ask<T>(question: unknown, seconds: number): Promise<T>;
  /** Closes the browser and deletes the page's files. */
  dispose(): Promise<void>;
}

/**
 * Bundles a program with all of its imports into a page, so that the page requests nothing from a network, and opens a
 * browser for it.
 *
 * @param executable path of a Chromium; its WebGL may be a software implementation.
 * @param input path of the program's entry module.
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
