import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuDevice, f64Device } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { clothSheet } from '../../src/check/cloth.ts';
import { referenceFolder } from '../support.ts';

const folder = referenceFolder();
const files = folder ? readdirSync(folder).filter((name) => name.startsWith('cloth-air')) : [];
if (files.length === 0) console.log('cloth-air: skipped, the reference cases are not there');

describe.skipIf(files.length === 0)('cloth in air', () => {
  it.each([
    ['f64', f64Device(), 1e-9, 1e-9],
    ['cpu', cpuDevice(), 1e-4, 1e-3],
  ] as const)(
    'agrees with the rollouts on %s, with their bending; how far the formula is off is said',
    async (_, device, state, gradient) => {
      for (const name of files) {
        const result = await clothSheet.check(JSON.parse(readFileSync(join(folder!, name), 'utf8')), device);
        expect(result.stateError, name).toBeLessThan(state);
        expect(result.gradientError, name).toBeLessThan(gradient);
        expect(result.formulaStateError, name).toBeGreaterThan(0.01);
        expect(result.formulaGradientError, name).toBeGreaterThan(0.01);
      }
    },
  );
});
