import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cpuDevice, f64Device } from '@gradsim/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import type { Bits } from '../src/bits.ts';
import { fallOfBlock } from '../src/block.ts';
import { drop } from '../src/drop.ts';
import type { PolicyReport, PolicyTrial } from '../src/policy.ts';
import type { Visit } from '../src/visit.ts';
import { Browser, ISOLATED, pageOf } from '../src/visit.ts';
import type { BundlerName } from './support/bundlers.ts';
import { bundle } from './support/bundlers.ts';
import type { App } from './support/installed.ts';
import { installApp } from './support/installed.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: policies of pages. This machine has no Chromium on its PATH.');

const STRICT = "script-src 'self' 'wasm-unsafe-eval'";

let browser: Browser | undefined;
let app: App;
let expected: { readonly block: Bits; readonly drop: Bits; readonly doubles: Bits };

beforeAll(async () => {
  app = installApp();
  if (chromium) browser = await Browser.open(chromium);
  const [one, doubles] = [cpuDevice({ threads: 1 }), f64Device()];
  expected = { block: await fallOfBlock(one), drop: await drop(one), doubles: await drop(doubles) };
});
afterAll(async () => {
  await browser?.close();
  app?.remove();
});

interface Setting {
  readonly bundler?: BundlerName;
  readonly policy?: string;
  readonly isIsolated?: boolean;
  /** Path of a copy of the workers' file, and (`saysWhere`) whether the page passes this path to the device. */
  readonly workerFile?: string;
  readonly saysWhere?: boolean;
  /** Names of the devices tried, in addition to the cpu device on two threads. */
  readonly devices?: string;
}

async function under({
  bundler = 'vite',
  policy = STRICT,
  isIsolated = true,
  workerFile,
  saysWhere,
  devices = 'cpu auto',
}: Setting): Promise<Visit<PolicyReport>> {
  const { out, entry, isModule } = await bundle(bundler, app.folder, 'policy');
  if (workerFile) {
    const kernel = createRequire(join(app.folder, 'package.json')).resolve('@gradsim/kernel/worker');
    copyFileSync(kernel, join(out, workerFile));
  }
  const where = saysWhere ? `<meta name="worker" content="/${workerFile}">` : '';
  const html = `${pageOf(entry, isModule)}<meta name="devices" content="threads ${devices}">${where}`;
  const headers = { ...(isIsolated ? ISOLATED : {}), 'content-security-policy': policy };
  return browser!.visit<PolicyReport>({ folder: out, html, headers }, 600);
}

const resultsOf = ({ results, error }: PolicyTrial): Bits => {
  if (!results) throw new Error(`In the page: ${error}`);
  return results;
};

/**
 * Expects the results of the cpu device to equal those of Node, with or without threads; `threads` is the expected note
 * on threads in its description.
 */
function expectOnCpu({ trials, listed }: PolicyReport, threads: string): void {
  expect(resultsOf(trials.threads)).toEqual(expected.block);
  for (const trial of [trials.cpu, trials.auto]) {
    expect(resultsOf(trial)).toEqual(expected.drop);
    expect(trial.kind).toBe('cpu');
    expect(trial.before).toMatch(/^WebAssembly SIMD, \d+ thread/);
    expect(trial.before).toBe(trial.after);
  }
  expect(trials.threads.after).toBe(`WebAssembly SIMD, ${threads}`);
  const cpu = listed.find(({ name }) => name === 'cpu')!;
  expect(cpu.description).toBe(trials.cpu.before);
}

describe.skipIf(!chromium)('a page with a strict content security policy', () => {
  it.each(['vite', 'webpack'] as const)(
    'has the requested threads, from the worker file that %s emits',
    async (bundler) => {
      const { report } = await under({ bundler });
      expectOnCpu(report, '2 threads');
      expect(report.trials.threads.before).toBe('WebAssembly SIMD, up to 2 threads');
    },
  );

  it.each(['esbuild, as modules', 'rolldown'] as const)(
    'has the requested threads, from a copy of the worker file beside the output of %s',
    async (bundler) => {
      const { report } = await under({ bundler, workerFile: 'worker.js' });
      expectOnCpu(report, '2 threads');
    },
  );

  it('has the requested threads from a named worker file, without a policy violation', async () => {
    const setting = { workerFile: 'elsewhere.js', saysWhere: true } as const;
    const { report, said } = await under({ bundler: 'esbuild, as one script', ...setting });
    expectOnCpu(report, '2 threads');
    expect(report.violations.filter((violation) => violation.startsWith('worker-src'))).toEqual([]);
    expect(said).toEqual([]);
  });

  it('has one thread if the worker file is missing, and says why', async () => {
    const { report } = await under({ bundler: 'esbuild, as one script' });
    expectOnCpu(
      report,
      '1 thread: the page forbids workers from a blob (worker-src), and no worker starts from the file of ' +
        '@gradsim/kernel/worker; see workerUrl',
    );
  });

  it('has one thread if workers are forbidden, and says so', async () => {
    const { report } = await under({ policy: `${STRICT}; worker-src 'none'` });
    expectOnCpu(report, '1 thread: the page forbids workers (worker-src)');
  });

  it('has one thread if it is not cross-origin isolated, and says so', async () => {
    const { report, said } = await under({ isIsolated: false });
    expectOnCpu(report, '1 thread: the page is not cross-origin isolated');
    expect(said).toEqual([]);
  });

  it('chooses webgpu if WebAssembly is forbidden, which the cpu device reports', async (context) => {
    const { report } = await under({ policy: "script-src 'self'", devices: 'cpu auto webgpu' });
    const { cpu, webgpu, auto } = report.trials;
    expect(cpu.error).toContain("add 'wasm-unsafe-eval' to script-src");
    expect(report.listed.find(({ name }) => name === 'cpu')?.isAvailable).toBe(false);
    if (!webgpu.results) {
      console.warn(`SKIPPED, NOT TESTED: webgpu in a page with a policy. ${webgpu.error}`);
      context.skip(webgpu.error);
    }
    expect(Object.keys(resultsOf(webgpu))).toEqual(Object.keys(expected.drop));
    expect(resultsOf(auto)).toEqual(resultsOf(webgpu));
    expect(auto.kind).toBe('webgpu');
  });

  it('gives the results of Node on the device f64, without a violation of script-src', async () => {
    const { report } = await under({ devices: 'f64' });
    expect(resultsOf(report.trials.f64)).toEqual(expected.doubles);
    expect(report.violations.filter((violation) => violation.startsWith('script-src'))).toEqual([]);
  });
});
