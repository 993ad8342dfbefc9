// Frames a second of a page, in headless Chromium: a sheet of cloth falls onto a ball and the ground, drawn frame by frame,
// without and with contact of the sheet with itself.
//   --device cpu | webgpu | auto, --frames 60, --cells 32, --size 256; --adapter machine: WebGPU on the machine's GPU,
//   not in software; --profile for the time of every pass

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '@gradsim/base';
import type { DeviceName } from '@gradsim/core';
import { Browser, ISOLATED, pageOf } from '@gradsim/page/visit';
import { rolldown } from 'rolldown';
import type { PageSettings, PageTimes } from './page/in-page.ts';
import { chosenNames, least, print } from './support/options.ts';

const { values } = parseArgs({
  options: {
    device: { type: 'string', default: 'cpu' },
    frames: { type: 'string', default: '60' },
    cells: { type: 'string', default: '32' },
    size: { type: 'string', default: '256' },
    adapter: { type: 'string', default: 'software' },
    profile: { type: 'boolean', default: false },
  },
});
const [adapter] = chosenNames('adapter', values.adapter, ['software', 'machine']);
/** Number of profiled passes that are printed, at most. */
const MAX_PASSES = 12;
/** Number of frames before measuring, until all code is optimised and workers have started. */
const WARM_UP = 10;

const chromium = process.env.GRADSIM_CHROMIUM;
if (!chromium)
  throw new Error(
    'This benchmark runs in Chromium: set GRADSIM_CHROMIUM to its path, or have it on PATH and begin with `npm run`.',
  );

const folder = mkdtempSync(join(tmpdir(), 'gradsim-bench-'));
try {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page/in-page.js') });
  await bundle.write({ dir: folder, entryFileNames: 'page.js' });
  await bundle.close();
  for (const selfContact of [false, true]) await measure(await Browser.open(chromium, adapter), selfContact);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(browser: Browser, selfContact: boolean): Promise<void> {
  const settings: PageSettings = {
    device: values.device as DeviceName,
    selfContact,
    profile: values.profile,
    cells: Number(values.cells),
    size: Number(values.size),
    frames: WARM_UP + Number(values.frames),
  };
  const meta = JSON.stringify(settings).replaceAll('"', '&quot;');
  const html = `${pageOf('/page.js')}<body><meta name="settings" content="${meta}">`;
  const { report } = await browser
    .visit<PageTimes>({ folder, html, headers: ISOLATED }, 600)
    .finally(() => browser.close());
  if (!report.frames || !report.parts) throw new Error(`In the page: ${report.error}`);
  const frames = report.frames.slice(WARM_UP);
  const partsMs = Object.entries(report.parts).map(([part, times]) => [part, median(times.slice(WARM_UP))]);
  const scene = `${settings.cells} x ${settings.cells} cloth on a ball, ${selfContact ? 'with' : 'without'} self-contact, ${settings.size} x ${settings.size} pixels`;
  print({
    bench: 'page',
    scene,
    device: report.device,
    framesPerSecond: Number((1000 / median(frames)).toFixed(2)),
    frameMs: { median: median(frames), least: least(frames) },
    partsMs: Object.fromEntries(partsMs),
    heights: report.heights,
  });
  for (const [pass, ms] of Object.entries(report.passes ?? {}).slice(0, MAX_PASSES))
    print({ profile: true, scene, pass, ms });
}
