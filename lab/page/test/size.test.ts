// How large a page's script is that drops one body: what it does not use of the package gradsim is left out.
import { expect, it } from 'vitest';
import { sizeOfPage } from '../src/size.ts';

/** Largest size of the gzipped script of a page with one body, bytes: 5 % above 104 kB. */
const MAX_SIZE = 106_000;

it('the gzipped script of a page with one body has at most 106 kB, and at most 5 % more from the package gradsim than from single packages', async () => {
  const { gzip: single, parts } = await sizeOfPage('@gradsim/core', '@gradsim/rigid');
  const { gzip: all } = await sizeOfPage('gradsim/core', 'gradsim/physics');
  const { gzip: part } = await sizeOfPage('gradsim/core', 'gradsim/rigid');
  console.info(JSON.stringify({ single, part, all }));
  expect(single).toBeLessThanOrEqual(MAX_SIZE);
  expect(part).toBeLessThanOrEqual(1.05 * single);
  expect(all).toBeLessThanOrEqual(1.05 * single);
  expect(Object.keys(parts)).toContain('core/tape');
  // Loaded with the first comparison, and with the first model on the cpu.
  expect(parts).not.toHaveProperty('core/compile/comparison');
  const ofWasm = Object.entries(parts).filter(([folder]) => `${folder}/`.startsWith('kernel/emit/wasm/'));
  expect(ofWasm.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(1000);
});
