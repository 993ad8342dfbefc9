import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { draws } from '../../../scripts/vitest/draws.ts';
import type { ManySimulationsReport } from '../src/many.ts';
import { Browser, ISOLATED, pageOf } from '../src/visit.ts';
import type { Product } from './support/bundlers.ts';
import { bundle } from './support/bundlers.ts';
import type { App } from './support/installed.ts';
import { installApp } from './support/installed.ts';

const chromium = findChromium();
if (!chromium)
  console.warn('SKIPPED, NOT TESTED: many simulations in a page. This machine has no Chromium on its PATH.');

let app: App;
let product: Product;

beforeAll(async () => {
  app = installApp();
  product = await bundle('esbuild, as modules', app.folder, 'many');
});
afterAll(() => app?.remove());

interface Load {
  readonly device: 'cpu' | 'webgpu';
  /** Number of cells of the block of springs along each side. */
  readonly cells: number;
  readonly isIsolated: boolean;
  readonly inTurn: number;
  readonly atOnce: number;
  readonly programs: number;
}

async function under({ device, cells, isIsolated, inTurn, atOnce, programs }: Load): Promise<ManySimulationsReport> {
  const settings = { device, cells, 'in-turn': inTurn, 'at-once': atOnce, programs };
  const metas = Object.entries(settings).map(([name, content]) => `<meta name="${name}" content="${content}">`);
  const html = pageOf(product.entry, product.isModule) + metas.join('');
  const site = { folder: product.out, html, headers: isIsolated ? ISOLATED : {} };
  // One for each load, whose memory it has.
  const browser = await Browser.open(chromium!);
  const { report } = await browser.visit<ManySimulationsReport>(site, 600).finally(() => browser.close());
  console.log(`${device}, ${cells} cells: ${JSON.stringify(report)}`);
  return report;
}

/**
 * Expects that all simulations succeeded, and that the browser's memory grew by less than half of what the disposed
 * ones would occupy, from the second hundred on: while the first ones run, the browser itself takes what it then keeps.
 */
function expectAll(report: ManySimulationsReport, { inTurn, atOnce, programs }: Load): void {
  expect(report.error).toBeUndefined();
  expect(report).toMatchObject({ atOnce, programs, different: 0 });
  const [first, last] = [report.inTurn[1], report.inTurn.at(-1)!];
  expect(last.made).toBe(inTurn);
  const { bytesAtOnce } = report;
  if (first.bytes === null || last.bytes === null || bytesAtOnce === null) {
    console.warn('SKIPPED, NOT TESTED: the memory of a browser, which this system does not tell.');
    return;
  }
  const each = (bytesAtOnce - last.bytes) / atOnce;
  expect(last.bytes - first.bytes).toBeLessThan(0.5 * each * (last.made - first.made));
}

describe.skipIf(!chromium)('many simulations in a page', () => {
  const inTurn = draws(300, 400);
  const loads: readonly Load[] = [
    { device: 'cpu', cells: 6, isIsolated: false, inTurn, atOnce: 120, programs: 100 },
    // Large enough for threads.
    { device: 'cpu', cells: 10, isIsolated: true, inTurn, atOnce: 100, programs: 10 },
    { device: 'webgpu', cells: 2, isIsolated: true, inTurn, atOnce: 120, programs: 100 },
  ];
  it.for(loads)(
    'free most memory when disposed, and coexist in hundreds, on $device: $cells cells a side, cross-origin isolated: $isIsolated',
    async (load, context) => {
      const report = await under(load);
      if (load.device === 'webgpu' && /adapter|no WebGPU/.test(report.error ?? '')) {
        console.warn(`SKIPPED, NOT TESTED: many simulations on webgpu. ${report.error}`);
        context.skip(report.error);
      }
      expectAll(report, load);
    },
  );
});
