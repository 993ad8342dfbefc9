// The page in the README of @gradsim/three, in Chromium: it draws, and what it draws moves.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { Browser, pageOf } from '../src/visit.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: the page with three.js. This machine has no Chromium on its PATH.');

/** Reads the picture right after it is drawn, since WebGL keeps it no longer: at frames 20 and 50. */
const LOOK = `
const pictures = [];
const draw = renderer.render.bind(renderer);
let drawn = 0;
renderer.render = (...args) => {
  draw(...args);
  drawn++;
  if (drawn !== 20 && drawn !== 50) return;
  const gl = renderer.getContext();
  const bytes = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
  gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  // Pixels that are lit, and where they are.
  const lit = [...Array(bytes.length / 4).keys()].filter((k) => bytes[4 * k + 2] > 40);
  const width = gl.drawingBufferWidth;
  const left = lit.filter((k) => k % width < width / 2);
  pictures.push({
    lit: lit.length / (bytes.length / 4),
    left: left.length / lit.length,
    height: left.reduce((sum, k) => sum + Math.floor(k / width), 0) / left.length,
  });
  if (drawn === 50) fetch('/', { method: 'POST', body: JSON.stringify(pictures) });
};
`;

interface Picture {
  /** Share of the pixels that are lit, and of those the share in the left half. */
  readonly lit: number;
  readonly left: number;
  /** Mean height of the lit pixels of the left half, px from below. */
  readonly height: number;
}

it.skipIf(!chromium)('the page of the README draws a cube that flies and a cloth that hangs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gradsim-three-'));
  const browser = await Browser.open(chromium!);
  try {
    const readme = await readFile(new URL('../../../packages/three/README.md', import.meta.url), 'utf8');
    const [, code] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
    await build({
      stdin: { contents: `${code}${LOOK}`, loader: 'ts', resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
      bundle: true,
      format: 'esm',
      target: 'es2022',
      outfile: join(folder, 'page.js'),
    });
    // Sixty frames a second, however slow the machine is.
    const clock =
      '<script>let now = 0; requestAnimationFrame = (take) => setTimeout(() => take((now += 1000 / 60)));</script>';
    const html = `${clock}${pageOf('/page.js')}<body></body>`;
    const { report } = await browser.visit<Picture[]>({ folder, html }, 600);
    const [early, late] = report;
    for (const { lit, left } of report) {
      expect(lit).toBeGreaterThan(0.02);
      expect(left).toBeGreaterThan(0.05);
      expect(left).toBeLessThan(0.95);
    }
    expect(Math.abs(late.height - early.height)).toBeGreaterThan(3);
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
});
