import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Device } from '@gradsim/core';
import { selectDevice } from '@gradsim/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { mustSucceed, run } from '../../../scripts/pack/install-packed.js';
import { drawn } from '../../../scripts/vitest/draws.ts';
import type { Bits } from '../src/bits.ts';
import { valuesOf } from '../src/bits.ts';
import { drop } from '../src/drop.ts';
import type { Outcome, PageReport } from '../src/page.ts';
import type { Site } from '../src/visit.ts';
import { Browser, ISOLATED, pageOf } from '../src/visit.ts';
import { BUNDLER_NAMES, bundle } from './support/bundlers.ts';
import { unbundled } from './support/import-map.ts';
import type { App } from './support/installed.ts';
import { installApp } from './support/installed.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: everything in a browser. This machine has no Chromium on its PATH.');

/** Skips a test, and prints why: a test that cannot run here has not passed. */
function skip(context: { skip: (note: string) => never }, why: string): never {
  console.warn(`SKIPPED, NOT TESTED: ${why}`);
  return context.skip(why);
}

let browser: Browser | undefined;
let app: App;
/** Result of the page's program in Node. */
let inNode: Bits;
let gpu: Outcome | undefined;

beforeAll(async () => {
  app = installApp();
  if (chromium) browser = await Browser.open(chromium);
  const result = run(app.folder, process.execPath, ['program/node.js']);
  mustSucceed(result);
  inNode = JSON.parse(result.stdout);
});
afterAll(async () => {
  await browser?.close();
  app?.remove();
});

/** Expects the page's results, on two threads and on one, to equal those of Node, and no console messages. */
async function expectSameAsNode(site: Site): Promise<PageReport> {
  const { report, said } = await browser!.visit<PageReport>({ ...site, headers: ISOLATED }, 600);
  expect(resultsOf(report.cpu)).toEqual(inNode);
  expect(report.cpu.device).toContain('2 threads');
  for (const [name, bits] of Object.entries(resultsOf(report.oneThread)))
    expect(bits, name).toEqual(inNode[`fallOfBlock: ${name}`]);
  expect(said).toEqual([]);
  return report;
}

function resultsOf({ results, error }: Outcome): Bits {
  if (!results) throw new Error(`In the browser: ${error}`);
  return results;
}

/** Returns the Node modules that the files of a folder import. */
function importsOfNode(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'));
  return files.flatMap((file) => {
    const found = readFileSync(join(folder, file), 'utf8').match(/\b(?:from|import|require)\s*\(?\s*["'`]node:\w+/g);
    return (found ?? []).map((text) => `${file}: ${text}`);
  });
}

describe('the program that is compared between pages and Node', () => {
  it('has more than ten gradients, all nonzero', () => {
    const gradients = Object.entries(inNode).filter(([name]) => name.includes('gradient'));
    expect(gradients.length).toBeGreaterThan(10);
    for (const [name, bits] of gradients)
      expect(
        valuesOf(bits).some((value) => value !== 0),
        name,
      ).toBe(true);
  });
});

describe.each(drawn(BUNDLER_NAMES, 1))('packed packages in a page, bundled by %s', (name) => {
  it('bundle without warnings or Node modules, and give the results of Node bit for bit', async (context) => {
    const { complaints, out, entry, isModule } = await bundle(name, app.folder);
    expect(complaints).toEqual([]);
    expect(importsOfNode(out)).toEqual([]);
    if (!chromium) skip(context, `the bundle of ${name} in a browser.`);
    // Once, since it takes as long as all else.
    const meta = gpu ? '' : '<meta name="webgpu">';
    const report = await expectSameAsNode({ folder: out, html: pageOf(entry, isModule) + meta });
    gpu ??= report.webgpu;
  });
});

describe.skipIf(!chromium)('packed packages in a page without a bundler', () => {
  it('load by the import map of the guide, and give the results of Node bit for bit', async () => {
    await expectSameAsNode(unbundled(app.folder));
  });
});

/** Maximum relative difference of results: zero if both run on the same software driver; a GPU rounds differently. */
const toleranceFor = (descriptions: readonly string[]): number =>
  descriptions.every((text) => text.includes('(software)')) ? 1e-6 : 1e-3;

/**
 * Returns the largest difference of any quantity, relative to the quantity's largest value, and the quantity's name.
 */
function furthest(found: Bits, expected: Bits): { error: number; where: string } {
  let worst = { error: 0, where: 'no quantity' };
  for (const [where, bits] of Object.entries(expected)) {
    const [a, b] = [valuesOf(found[where]), valuesOf(bits)];
    const scale = b.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-30);
    const error = b.reduce((most, value, k) => Math.max(most, Math.abs(a[k] - value)), 0) / scale;
    if (!(error <= worst.error)) worst = { error, where };
  }
  return worst;
}

describe.skipIf(!chromium)('webgpu in a page', () => {
  // After the test of bundles, whose page has a report of webgpu.
  it('gives the motion and gradients of a dropped box as in Node, up to rounding', async (context) => {
    if (!gpu) throw new Error('No page has given a report.');
    if (gpu.missing) skip(context, `webgpu in the browser. ${gpu.missing}`);
    const found = resultsOf(gpu);
    const device: Device = await selectDevice('webgpu').catch((error: Error) =>
      skip(context, `webgpu in Node. ${error.message}`),
    );
    const devices = [gpu.device!, device.description];
    const { error, where } = furthest(found, await drop(device));
    device.dispose();
    console.log(`webgpu: ${devices.join(' and ')} differ by at most ${error}, in ${where}`);
    expect(error, where).toBeLessThanOrEqual(toleranceFor(devices));
  });
});
