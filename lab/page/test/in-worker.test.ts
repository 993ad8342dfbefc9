import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DeviceName } from '@gradsim/core';
import { cpuDevice, f64Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { mustSucceed, run } from '../../../scripts/pack/install-packed.js';
import type { Bits } from '../src/bits.ts';
import { bitsOf, valuesOf } from '../src/bits.ts';
import type { Course, WorkerReport } from '../src/in-worker.ts';
import type { ThrowSettings } from '../src/problem.ts';
import thrown from '../src/problem.ts';
import type { Visit } from '../src/visit.ts';
import { Browser, ISOLATED, pageOf } from '../src/visit.ts';
import type { BundlerName } from './support/bundlers.ts';
import { BUNDLER_NAMES, bundle, bundleFiles } from './support/bundlers.ts';
import { unbundled } from './support/import-map.ts';
import type { App } from './support/installed.ts';
import { installApp } from './support/installed.ts';

const chromium = findChromium();
if (!chromium)
  console.warn('SKIPPED, NOT TESTED: estimates in workers of pages. This machine has no Chromium on its PATH.');

const STRICT = "script-src 'self' 'wasm-unsafe-eval'";

/**
 * Settings of a problem large enough for threads, with iterations of some tenths of a second: in the page's own thread
 * they would freeze it noticeably.
 */
const LARGE: ThrowSettings = { cells: 10, substeps: 30, iterations: 1 };
/** Settings of a short problem that is large enough for threads. */
const BRIEF: ThrowSettings = { cells: 10, substeps: 8, iterations: 1 };
const SMALL: ThrowSettings = { cells: 2, substeps: 8, iterations: 300 };

let browser: Browser | undefined;
let app: App;
beforeAll(async () => {
  app = installApp();
  if (chromium) browser = await Browser.open(chromium);
});
afterAll(async () => {
  await browser?.close();
  app?.remove();
});

interface Setting {
  readonly bundler?: BundlerName;
  readonly policy?: string;
}

type Plans = Readonly<Record<string, object>>;
const metaOf = (plans: Plans): string =>
  `<meta name="plans" content="${JSON.stringify(plans).replaceAll('"', '&quot;')}">`;

async function inPage(plans: Plans, { bundler = 'vite', policy = STRICT }: Setting = {}): Promise<Visit<WorkerReport>> {
  const { out, entry, isModule, complaints } = await bundle(bundler, app.folder, 'in-worker', 'problem');
  expect(complaints).toEqual([]);
  if (bundler.startsWith('esbuild') || bundler === 'rolldown') {
    const kernel = createRequire(join(app.folder, 'package.json')).resolve('@gradsim/kernel/worker');
    cpSync(kernel, join(out, 'worker.js'));
  }
  const headers = { ...ISOLATED, 'content-security-policy': policy };
  const html = pageOf(entry, isModule) + metaOf(plans);
  return browser!.visit<WorkerReport>({ folder: out, html, headers }, 600);
}

const known = new Map<string, Promise<Bits>>();

/** Result of the same problem without a worker, computed once. */
function without(settings: ThrowSettings, name: 'cpu' | 'f64'): Promise<Bits> {
  const key = JSON.stringify([settings, name]);
  const result = known.get(key) ?? estimated(settings, name);
  known.set(key, result);
  return result;
}

async function estimated(settings: ThrowSettings, name: 'cpu' | 'f64'): Promise<Bits> {
  const device = name === 'cpu' ? cpuDevice({ threads: 1 }) : f64Device({ threads: 1 });
  const { parameters } = await estimate(await thrown({ settings, device }), { device });
  device.dispose();
  return Object.fromEntries(Object.entries(parameters).map(([key, { estimate: value }]) => [key, bitsOf([value])]));
}

/** Expects that the page received progress, and that its thread stayed responsive. */
function expectLively(name: string, course: Course): void {
  const { progress, timers, pictures, iterations, seconds, stages } = course;
  const each = (1000 * seconds!) / iterations!;
  console.log(
    `${name}: ${iterations} iterations of ${each.toFixed(0)} ms on ${course.device}; ${progress.count} reports, ${progress.longest.toFixed(0)} ms apart at most, timers ${timers.longest.toFixed(0)}, pictures ${pictures.longest.toFixed(0)}`,
  );
  expect(stages).toContain('running');
  // A tenth of what an idle machine gives. A page that each iteration blocks has one of each an iteration.
  expect(timers.count / seconds!).toBeGreaterThan(10);
  expect(pictures.count / seconds!).toBeGreaterThan(6);
  if (each > 200) expect(progress.count).toBeGreaterThan(2 * iterations!);
}

/** Expects no console messages, except those about starting the device's threads from a blob, which is tried first. */
const expectQuiet = (said: readonly string[]): void =>
  expect(said.filter((line) => !line.startsWith("Creating a worker from 'blob:"))).toEqual([]);

const ok = (course: Course): Course => {
  if (course.error !== undefined) throw new Error(`In the page: ${course.error}`);
  return course;
};

describe.skipIf(!chromium)('an estimate in a worker of a page with a strict content security policy', () => {
  it('gives the result of Node while the page draws, and can be stopped within half an iteration', async () => {
    const plan = (device: DeviceName, rest: object = {}): object => ({ ...LARGE, device, ...rest });
    const { report, said } = await inPage({
      cpu: plan('cpu', { threads: 2 }),
      doubles: plan('f64', { threads: 1 }),
      stopped: plan('f64', { threads: 1, iterations: 1000, stopAfter: 2 }),
      'stopped on threads': plan('cpu', { threads: 2, iterations: 1000, stopAfter: 2 }),
    });
    const { cpu, doubles, stopped, ...others } = report.courses;
    expect(ok(cpu).device).toMatch(/2 threads$/);
    // That of a small model is over before it could be told of.
    expect(cpu.stages).toContain('building');
    expect(cpu.estimate).toEqual(await without(LARGE, 'cpu'));
    expect(ok(doubles).estimate).toEqual(await without(LARGE, 'f64'));
    for (const [name, course] of Object.entries(report.courses)) expectLively(name, course);
    for (const course of [stopped, ...Object.values(others)]) {
      expect(ok(course)).toMatchObject({ stopped: 'interrupted' });
      console.log(`stopped in ${course.stopTime!.toFixed(0)} ms`);
      // In the midst of an iteration, however long those take here.
      expect(course.stopTime).toBeLessThan((500 * course.seconds!) / course.iterations!);
    }
    expect(report.uncaught).toEqual([]);
    expectQuiet(said);
  });

  it('gives the same result in a hidden tab, whose timers are throttled, in less than ten times the time', async () => {
    const plan = { ...SMALL, iterations: 1000, device: 'cpu', threads: 1 };
    const { report } = await inPage({ seen: plan, hidden: plan });
    const { seen, hidden } = report.courses;
    expect(ok(seen).wasHidden).toBe(false);
    expect(ok(hidden).wasHidden).toBe(true);
    expect(hidden.estimate).toEqual(seen.estimate);
    const perSecond = ({ timers, seconds }: Course): number => timers.count / seconds!;
    console.log(
      `${seen.iterations} iterations: ${seen.seconds!.toFixed(2)} s with ${perSecond(seen).toFixed(0)} timers a second where it is seen, ${hidden.seconds!.toFixed(2)} s with ${perSecond(hidden).toFixed(1)} where it is hidden; ${hidden.progress.count} reports there`,
    );
    // The timers of a hidden page are told of no more than once a second.
    expect(perSecond(hidden)).toBeLessThan(3);
    expect(perSecond(seen)).toBeGreaterThan(10);
    // Far less than what a timer an iteration would cost.
    expect(hidden.seconds).toBeLessThan(10 * seen.seconds!);
    expect(hidden.progress.count).toBeGreaterThan(2 * hidden.seconds!);
  });

  it('gives on webgpu the result of the cpu to 6 decimals', async (context) => {
    const { report } = await inPage({ webgpu: { ...SMALL, iterations: 10, device: 'webgpu' } });
    const { webgpu } = report.courses;
    if (/adapter|no WebGPU/.test(webgpu.error ?? '')) {
      console.warn(`SKIPPED, NOT TESTED: an estimate on webgpu in a worker of a page. ${webgpu.error}`);
      context.skip(webgpu.error);
    }
    expectLively('webgpu', ok(webgpu));
    expect(webgpu.device).toMatch(/^webgpu: /);
    const expected = await without({ ...SMALL, iterations: 10 }, 'cpu');
    for (const [name, [bits]] of Object.entries(webgpu.estimate!))
      expect(valuesOf([bits])[0]).toBeCloseTo(valuesOf(expected[name])[0], 6);
  });

  it('reports why its worker died, and keeps progress made until then', async () => {
    const long = { ...SMALL, iterations: 1e6, device: 'cpu', threads: 1 };
    const { report, said } = await inPage({
      throws: { ...long, mishap: 'throws' },
      closes: { ...long, mishap: 'closes' },
      'throws at once': { ...SMALL, cells: 0, device: 'cpu' },
    });
    const { throws, closes, 'throws at once': early } = report.courses;
    expect(throws.error).toMatch(/^The worker died: the tripod fell\.$/);
    expect(throws.cause).toBe('the tripod fell');
    expect(throws.kept).toBeGreaterThan(5);
    expect(closes.error).toBe('The worker ended.');
    expect(closes.kept).toBeGreaterThan(5);
    expect(early.error).toMatch(/cells/);
    expect(early.kept).toBeUndefined();
    expect(report.uncaught).toEqual([]);
    expectQuiet(said);
  });

  it('reports a worker file that is missing, and workers that the policy forbids', async () => {
    const plan = { ...SMALL, device: 'cpu' };
    const { report } = await inPage({ missing: { ...plan, entry: '/nowhere.js' } });
    expect(report.courses.missing.error).toMatch(/^The worker could not be loaded: it, or what it imports, is not/);
    const forbidden = await inPage({ plain: plan }, { policy: `${STRICT}; worker-src 'none'` });
    expect(forbidden.report.courses.plain.error).toBe(
      "The worker cannot start: the page's content security policy forbids it (worker-src).",
    );
    expect([report.uncaught, forbidden.report.uncaught]).toEqual([[], []]);
  });
});

describe.skipIf(!chromium)('the module that a worker loads', () => {
  const emitting = BUNDLER_NAMES.filter((name) => name !== 'esbuild, as one script');
  it.each(emitting)('is found in the output of %s, and gives the result of Node', async (bundler) => {
    const plan = { ...BRIEF, device: 'cpu', threads: 2 };
    const { report } = await inPage({ plan }, { bundler });
    expect(ok(report.courses.plan).device).toMatch(/2 threads$/);
    expect(report.courses.plan.estimate).toEqual(await without(BRIEF, 'cpu'));
  });

  it('must be bundled even for a page without a bundler, since import maps do not apply to workers', async () => {
    const { out } = await bundle('esbuild, as modules', app.folder, 'problem');
    const { folder, html } = unbundled(app.folder, 'in-worker');
    symlinkSync(out, join(folder, 'bundled'));
    const plan = { ...SMALL, iterations: 1, device: 'cpu', threads: 1 };
    const plans = {
      bundled: { ...plan, entry: '/bundled/page.js' },
      'as it is': { ...plan, entry: '/program/problem.js' },
    };
    const site = { folder, html: html + metaOf(plans), headers: ISOLATED };
    const { report } = await browser!.visit<WorkerReport>(site, 600);
    const { bundled, 'as it is': asItIs } = report.courses;
    expect(ok(bundled).estimate).toEqual(await without({ ...SMALL, iterations: 1 }, 'cpu'));
    expect(asItIs.error).toMatch(/Import maps do not hold in workers/);
  });
});

/** Returns the code block that begins with a given line in a page of the documentation. */
function codeOf(page: string, file: string): string {
  const text = readFileSync(join(import.meta.dirname, '../../..', page), 'utf8');
  const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  return blocks.find((code) => code.startsWith(`// ${file}\n`))!;
}

describe('the example code of the documentation', () => {
  const README = 'packages/optim/README.md';
  const near = (printed: readonly number[]): void => {
    expect(printed).toHaveLength(2);
    // The integrator is of first order, and the path that it is compared with is exact.
    expect(Math.abs(printed[0] - 1.5)).toBeLessThan(1e-3);
    expect(Math.abs(printed[1] - 3)).toBeLessThan(0.02);
  };
  const write = (files: Readonly<Record<string, string>>): string => {
    const folder = mkdtempSync(join(app.folder, 'guide-'));
    for (const [file, code] of Object.entries(files)) writeFileSync(join(folder, file), code);
    return folder;
  };

  it('estimates in a worker thread of Node', () => {
    const files = ['problem.js', 'estimate.js'].map((file) => [file, codeOf(README, file)]);
    const result = run(write(Object.fromEntries(files)), process.execPath, ['estimate.js']);
    mustSucceed(result);
    const lines = result.stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    near(lines.at(-1)!.split(' ').map(Number));
  });

  it.skipIf(!chromium)('estimates in a worker of a page, and draws', async () => {
    const report = `
await fetch('/report', { method: 'POST', body: JSON.stringify({
  title: stop.title,
  drawn: context.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0),
  found: [found.parameters.vx.estimate, found.parameters.vy.estimate],
}) });`;
    const folder = write({
      'problem.js': codeOf(README, 'problem.js'),
      'page.js': codeOf('docs/guide/page.md', 'page.js') + report,
    });
    const { out, entry, complaints } = await bundleFiles('vite', folder, { page: join(folder, 'page.js') });
    expect(complaints).toEqual([]);
    const headers = { ...ISOLATED, 'content-security-policy': STRICT };
    const html = pageOf(entry).replace('<script', '<body></body><script');
    const site = { folder: out, html, headers };
    const { report: seen } = await browser!.visit<{ title: string; drawn: boolean; found: number[] }>(site, 600);
    near(seen.found);
    expect(seen.drawn).toBe(true);
    expect(seen.title).toMatch(/^running, iteration \d+, 0.\d s$/);
  });
});
