import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cpuDevice } from '@gradsim/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { build } from '../../../scripts/setup.js';
import { moveRobots, ROBOT_FILES } from '../src/robot.ts';
import { Browser, pageOf } from '../src/visit.ts';
import { bundleFiles } from './support/bundlers.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: robots in a browser. This machine has no Chromium on its PATH.');
const folder = mkdtempSync(join(tmpdir(), 'gradsim-robots-'));
let browser: Browser | undefined;
beforeAll(async () => {
  if (chromium) browser = await Browser.open(chromium);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['vite', 'esbuild, as modules'] as const)('robots in a page, bundled by %s', (name) => {
  it('are read from fetched files without Node modules, and move as in Node', async () => {
    build();
    const page = join(import.meta.dirname, '../dist/robot-page.js');
    const { complaints, out, entry, isModule } = await bundleFiles(name, folder, { page });
    expect(complaints).toEqual([]);
    for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.js'))
        expect(readFileSync(join(out, file), 'utf8')).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["'`]node:\w+/);
    if (!browser) return;
    for (const [path, text] of Object.entries(ROBOT_FILES)) {
      mkdirSync(dirname(join(out, 'robots', path)), { recursive: true });
      writeFileSync(join(out, 'robots', path), text);
    }
    const { report, said } = await browser.visit<{ ends: number[] }>(
      { folder: out, html: pageOf(entry, isModule) },
      30,
    );
    const device = cpuDevice({ threads: 1 });
    const inNode = await moveRobots(device, (path) => new TextEncoder().encode(ROBOT_FILES[path]));
    device.dispose();
    expect(report).toEqual({ ends: inNode });
    expect(Math.abs(inNode[1] - 0.7)).toBeGreaterThan(0.05);
    expect(said).toEqual([]);
  });
});
