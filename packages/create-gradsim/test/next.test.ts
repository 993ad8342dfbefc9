// The page of Next.js, which comes from the registry (300 MB): in the nightly run alone.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'create-gradsim';
import puppeteer from 'puppeteer-core';
import { expect, it, onTestFinished } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { packTarballs } from '../../../scripts/pack/tarballs.js';
import { build } from '../../../scripts/setup.js';
import { draws } from '../../../scripts/vitest/draws.ts';

const chromium = findChromium();

if (draws(1, 0) === 0)
  it.skipIf(!chromium)('a page of Next.js builds, is served, and shows a ball that falls', async () => {
    build();
    const folder = mkdtempSync(join(tmpdir(), 'create-next-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const project = join(folder, 'project');
    const { version } = (await import('../../gradsim/package.json', { with: { type: 'json' } })).default;
    create({ template: 'next', name: 'my-page', folder: project, versions: { gradsim: `^${version}` } });
    const options = { cwd: project, env: { ...process.env, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' } };
    const tarballs = packTarballs(['gradsim'], folder);
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...tarballs], options);
    execFileSync('npm', ['run', 'build'], options);

    const server = spawn(join(project, 'node_modules/.bin/next'), ['start', '-H', '127.0.0.1', '-p', '0'], options);
    onTestFinished(async () => {
      server.kill();
      await once(server, 'exit');
    });
    let said = '';
    const address = await new Promise<string>((found, fail) => {
      server.stdout.on('data', (text) => {
        said += text;
        const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
        if (url) found(url);
      });
      server.on('exit', () => fail(new Error(said)));
    });
    const browser = await puppeteer.launch({ executablePath: chromium!, args: ['--no-sandbox'], protocolTimeout: 0 });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => ['error', 'warn'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
    const rowOfBall = (): Promise<number> =>
      page.$eval('canvas', (canvas) => {
        const { data, width } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return Math.floor(data.findIndex((value, k) => k % 4 === 3 && value > 0) / 4 / width);
      });
    const rows = new Set<number>();
    while (rows.size < 5) rows.add(await rowOfBall());
    expect(complaints.filter((line) => !line.startsWith('Canvas2D: Multiple readback'))).toEqual([]);
  });
