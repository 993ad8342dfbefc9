// How large a page's script is that drops one body: what it does not use of the package gradsim is left out.
import { expect, it } from 'vitest';
import { sizeOfPage } from '../src/size.ts';

it('the gzipped script of a page with one body is at most 5 % larger from the package gradsim than from single packages', async () => {
  const { gzip: single, parts } = await sizeOfPage('@gradsim/core', '@gradsim/rigid');
  const { gzip: all } = await sizeOfPage('gradsim/core', 'gradsim/physics');
  const { gzip: part } = await sizeOfPage('gradsim/core', 'gradsim/rigid');
  console.info(JSON.stringify({ single, part, all }));
  expect(part).toBeLessThanOrEqual(1.05 * single);
  expect(all).toBeLessThanOrEqual(1.05 * single);
  expect(Object.keys(parts)).toContain('core/tape');
  // Loaded with the first comparison, and with the first model on the cpu.
  expect(parts).not.toHaveProperty('core/compile/comparison');
  expect(parts['kernel/emit/wasm']).toBeLessThan(1000);
});
