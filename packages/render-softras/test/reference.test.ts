import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { f64Device } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { softRasterReference } from '../src/index.ts';

const folder = new URL('../../../../shared/reference/', import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((f) => /^soft-raster-.*\.json$/.test(f)) : [];
if (files.length === 0)
  console.log(
    'Skipped: no soft-raster-*.json in ../shared/reference, so the rasteriser is not compared with them.',
  );

describe.skipIf(files.length === 0)('cases made by another program', () => {
  it.each(files)('%s, in doubles', async (file) => {
    const errors = await softRasterReference(
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
      f64Device(),
    );
    console.log(file, JSON.stringify(errors));
    expect(errors.imageError).toBeLessThan(1e-7);
    expect(errors.lossError).toBeLessThan(1e-8);
    expect(errors.alphaGradientError).toBeLessThan(1e-6);
    expect(errors.finiteDifferenceError).toBeLessThan(1e-4);
  });
});
