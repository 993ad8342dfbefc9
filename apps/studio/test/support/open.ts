// The studio in Chromium at the size of a phone, for tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Page, type Viewport } from 'puppeteer-core';
import { serveStudio } from '../../../../packages/gradsim/src/studio/serve.ts';
import { findChromium } from '../../../../scripts/chromium.js';

export const PHONE = { width: 390, height: 844 };
/** Time limit of a step on a busy machine, ms. */
export const timeout = 300_000;
export const chromium = findChromium();

/** Studio that is served and has an empty page in a browser. */
export interface OpenStudio {
  readonly page: Page;
  readonly address: string;
  /** Folder of its own, which is removed with it. */
  readonly scratch: string;
  /** Errors that the page told on its console. */
  readonly complaints: readonly string[];
  readonly close: () => Promise<void>;
}

/** Serves the built studio, and opens a page of the size of a phone. */
export async function openStudio(viewport: Viewport = PHONE): Promise<OpenStudio> {
  const scratch = mkdtempSync(join(tmpdir(), 'gradsim-studio-'));
  const { server, address } = await serveStudio({ folder: fileURLToPath(new URL('../../dist', import.meta.url)) }, 0);
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--no-first-run'];
  const browser = await puppeteer.launch({ executablePath: chromium!, args });
  const page = await browser.newPage();
  await page.setViewport(viewport);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  return {
    page,
    address,
    scratch,
    complaints,
    close: async () => {
      await browser.close();
      server.close();
      server.closeAllConnections();
      rmSync(scratch, { recursive: true });
    },
  };
}
