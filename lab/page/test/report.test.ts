import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runProgram } from 'gradsim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { BrowserPipe } from '../src/browser-pipe.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: the player of reports. This machine has no Chromium on its PATH.');

const EXPERIMENT = fileURLToPath(new URL('../../../packages/gradsim/test/fixtures/falling-mote.ts', import.meta.url));
const FLAGS = ['--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--no-first-run', '--disable-sync'];

describe.skipIf(!chromium)('the HTML report, opened as a file', () => {
  let folder: string;
  let browser: ChildProcess;
  let pipe: BrowserPipe;
  let session: string;
  const send = (method: string, params: object): Promise<unknown> => pipe.send(method, params, session);
  /** Evaluates an expression in the page, and returns its value. */
  async function inPage<T>(expression: string): Promise<T> {
    const answer = (await send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as { result: { value: T }; exceptionDetails?: { text: string } };
    if (answer.exceptionDetails) throw new Error(`In the page: ${JSON.stringify(answer.exceptionDetails)}`);
    return answer.result.value;
  }
  async function press(key: string): Promise<void> {
    for (const type of ['keyDown', 'keyUp']) await send('Input.dispatchKeyEvent', { type, key });
  }
  /** Message that the frame shows, and the sum of the values of each of the four pictures. */
  const shown = (): Promise<{ said: string; sums: number[] }> =>
    inPage(`({
      said: document.querySelector('output').value,
      sums: [...document.querySelectorAll('canvas')].map((canvas) =>
        canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.reduce((a, b) => a + b)),
    })`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gradsim-report-'));
    const quiet = { print: () => {}, say: () => {}, isInteractive: false };
    const out = join(folder, 'out');
    const code = await runProgram(['estimate', EXPERIMENT, '--device', 'cpu', '--out', out, '--seed', '9'], quiet);
    expect(code).toBe(0);
    browser = spawn(chromium!, [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    pipe = new BrowserPipe(browser);
    const url = pathToFileURL(join(out, 'report.html')).href;
    const { targetId } = (await pipe.send('Target.createTarget', { url })) as { targetId: string };
    const attached = await pipe.send('Target.attachToTarget', { targetId, flatten: true });
    session = (attached as { sessionId: string }).sessionId;
    // The page may still be the empty one that a new one begins as.
    const isThere = (): Promise<boolean> =>
      inPage<boolean>(`document.querySelector('.player:not([hidden])') !== null`).catch(() => false);
    while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  afterAll(async () => {
    if (browser) {
      const ended = once(browser, 'exit');
      browser.kill();
      await ended;
    }
    // The browser's helpers may still be writing.
    if (folder) await rm(folder, { recursive: true, maxRetries: 5, retryDelay: 200 });
  });

  it('shows four pictures of the first frame, and of other frames by the keys right arrow, Home and End', async () => {
    const first = await shown();
    expect(first.said).toBe('frame 0');
    expect(first.sums).toHaveLength(4);
    await inPage(`document.querySelector('.player button').focus()`);
    await press('ArrowRight');
    const second = await shown();
    expect(second.said).toBe('frame 1');
    second.sums.forEach((sum, k) => expect(sum).not.toBe(first.sums[k]));
    await press('End');
    expect((await shown()).said).toBe('frame 23');
    await press('ArrowRight');
    expect((await shown()).said).toBe('frame 23');
    await press('Home');
    expect(await shown()).toEqual(first);
  });

  it('overlays target (brightness in red) and estimate (in green and blue)', async () => {
    const off = await inPage<number>(`(() => {
      const [target, estimate, , overlay] = [...document.querySelectorAll('canvas')].map((canvas) =>
        canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data);
      const light = (of, at) => 0.299 * of[at] + 0.587 * of[at + 1] + 0.114 * of[at + 2];
      let off = 0;
      for (let at = 0; at < overlay.length; at += 4) {
        const [seen, shown] = [light(target, at), light(estimate, at)];
        const expected = [seen, shown, shown, 255];
        expected.forEach((value, k) => { off = Math.max(off, Math.abs(value - overlay[at + k])); });
      }
      return off;
    })()`);
    // A value is rounded to one of 255.
    expect(off).toBeLessThan(0.51);
  });

  it('plays from the current frame until paused, and can be scrubbed', async () => {
    const label = (): Promise<string> => inPage(`document.querySelector('.player button').ariaLabel`);
    // Looked at from before it starts: a busy machine may show less than every frame, but none out of order.
    await inPage(`window.seen = new Promise((done) => {
      const said = new Set();
      const timer = setInterval(() => {
        said.add(document.querySelector('output').value);
        if (said.size > 4) { clearInterval(timer); done([...said]); }
      }, 10);
    }), new Promise((done) => setTimeout(done, 50))`);
    await press(' ');
    expect(await label()).toBe('pause');
    const passed = (await inPage<string[]>('window.seen')).map((text) => Number(text.replace('frame ', '')));
    expect(passed[0]).toBe(0);
    expect(passed).toEqual([...passed].sort((a, b) => a - b));
    await press(' ');
    expect(await label()).toBe('play');
    await inPage(
      `const slider = document.querySelector('.controls input'); slider.value = 17; slider.dispatchEvent(new Event('input'))`,
    );
    expect((await shown()).said).toBe('frame 17');
  });

  it('blocks a script that is added to the page', async () => {
    const ran = await inPage(`new Promise((done) => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => done(violatedDirective));
      const script = document.createElement('script');
      script.textContent = 'document.title = "changed"';
      document.body.append(script);
      setTimeout(() => done(document.title), 500);
    })`);
    expect(ran).toBe('script-src-elem');
  });
});
