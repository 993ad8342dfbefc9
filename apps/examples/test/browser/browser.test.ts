import type { Device } from '@gradsim/core';
import { cpuDevice, f64Device, selectDevice } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../../../../scripts/chromium.js';
import { buildPackages } from '../../../../scripts/setup.js';
import { fallOfBlock } from './block.ts';
import type { Bundle } from './bundle.ts';
import { bundlePage } from './bundle.ts';
import type { Bits } from './drop.ts';
import { drop, valuesOf } from './drop.ts';
import type { Outcome, PageReport } from './page.ts';
import { visit } from './visit.ts';

const chromium = findChromium();
if (!chromium)
  console.warn('SKIPPED, NOT TESTED: everything in a browser. This machine has no Chromium on its PATH.');

/** Prints why, and skips: what cannot run here has not passed. */
function skip(context: { skip: (note: string) => never }, why: string): never {
  console.warn(`SKIPPED, NOT TESTED: ${why}`);
  return context.skip(why);
}

function resultsOf({ results, error }: Outcome): Bits {
  if (!results) throw new Error(`In the browser: ${error}`);
  return results;
}

async function inNode(device: Device): Promise<Bits> {
  const results = await drop(device);
  device.dispose();
  return results;
}

/** Where both run on the same software driver there is no reason to differ; a GPU rounds in its own way. */
const toleranceFor = (descriptions: readonly string[]): number =>
  descriptions.every((text) => text.includes('(software)')) ? 1e-6 : 1e-3;

/** Largest difference of any quantity, relative to its own largest value; and that quantity's name. */
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

let opened: Promise<{ bundle: Bundle; report: PageReport }> | undefined;

/** Builds what is stale and visits the page, once; every test that needs it fails if that does. */
function openPage(): Promise<{ bundle: Bundle; report: PageReport }> {
  opened ??= (async () => {
    buildPackages();
    const bundle = await bundlePage();
    return { bundle, report: await visit<PageReport>(chromium!, bundle, 60) };
  })();
  return opened;
}

describe.skipIf(!chromium)('a page that imports the built packages', { timeout: 180_000 }, () => {
  it('holds what is published: built files, and nothing of Node', async () => {
    const { bundle } = await openPage();
    const ours = bundle.modules.filter((id) => /[\\/]packages[\\/]/.test(id));
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter((id) => !/[\\/]dist[\\/]/.test(id))).toEqual([]);
    expect(
      bundle.modules.filter((id) => id.startsWith('node:') || id.includes('__vite-browser-external')),
    ).toEqual([]);
  });

  it('drops a box on the cpu device as Node does, bit for bit, gradients included', async () => {
    const { report } = await openPage();
    const found = resultsOf(report.cpu);
    expect(found).toEqual(await inNode(cpuDevice()));
    expect(valuesOf(found['gradient of bodies.density'])[0]).not.toBe(0);
    expect(valuesOf(found['gradient of bodies.ke'])[0]).not.toBe(0);
  });

  it('has a policy that lets nobody make code of text', async () => {
    const { report } = await openPage();
    expect(report.mayEvaluate).toBe(false);
  });

  it('drops a box in doubles as Node does', async () => {
    const { report } = await openPage();
    const found = resultsOf(report.doubles);
    // Sines and powers are those of the browser's own Math.
    const { error, where } = furthest(found, await inNode(f64Device()));
    expect(error, where).toBeLessThanOrEqual(1e-10);
    // More digits than single precision has.
    const density = valuesOf(found['gradient of bodies.density'])[0];
    expect(Math.fround(density)).not.toBe(density);
    expect(density).toBeCloseTo(valuesOf(resultsOf(report.cpu)['gradient of bodies.density'])[0], 4);
  });

  it('shares work among threads where it may share memory, with the same bits as one thread and as Node', async (context) => {
    const { report } = await openPage();
    const two = resultsOf(report.twoThreads);
    if (!report.twoThreads.device?.includes('2 threads'))
      skip(context, `threads in the browser. It says: ${report.twoThreads.device}.`);
    expect(two).toEqual(resultsOf(report.oneThread));
    const device = cpuDevice({ threads: 1 });
    expect(two).toEqual(await fallOfBlock(device));
    device.dispose();
  });

  it('drops a box on webgpu as Node does, gradients included', async (context) => {
    const { report } = await openPage();
    if (report.webgpu.missing) skip(context, `webgpu in the browser. ${report.webgpu.missing}`);
    const found = resultsOf(report.webgpu);
    const device = await selectDevice('webgpu').catch((error: Error) =>
      skip(context, `webgpu in Node. ${error.message}`),
    );
    const devices = [report.webgpu.device!, device.description];
    const { error, where } = furthest(found, await inNode(device));
    console.log(`webgpu: ${devices.join(' and ')} differ by at most ${error}, in ${where}`);
    expect(error, where).toBeLessThanOrEqual(toleranceFor(devices));
  });
});
