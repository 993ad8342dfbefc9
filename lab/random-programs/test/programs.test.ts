import type { Device } from '@gradsim/core';
import { cpuDevice, webgpuDevice } from '@gradsim/core';
import type { SeriesFinding, SeriesResult } from '@gradsim/random-programs';
import {
  describeProgram,
  generateProgram,
  languageNames,
  runSeries,
  seedOf,
  shrinkNth,
  Usage,
} from '@gradsim/random-programs';
import { afterAll, describe, expect, it } from 'vitest';
import { draws, seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('random programs');

/** The WebGPU device, or the message why it cannot be tested here. */
const webgpu = await webgpuDevice({ allowSoftware: true }).catch((error: Error) => error.message);
if (typeof webgpu === 'string') console.warn(`SKIPPED, NOT TESTED: random programs on webgpu. ${webgpu}`);
const cpu = cpuDevice();
afterAll(() => {
  cpu.dispose();
  if (typeof webgpu !== 'string') webgpu.dispose();
});

/** Description of the first wrong program, shrunk, for the message of a failure; empty if none is wrong. */
async function told(findings: readonly SeriesFinding[], devices: readonly Device[], seed: number): Promise<string> {
  const wrong = findings.filter((f) => f.verdict.verdict === 'wrong');
  if (wrong.length === 0) return '';
  const { program, verdict } = wrong[0];
  const shrunk = describeProgram(await shrinkNth(seed, program, devices));
  return `${wrong.length} wrong; SEED=${seed}, program ${program}: ${JSON.stringify(verdict)}\n${shrunk}`;
}

async function expectRight(count: number, devices: readonly Device[], seed = SEED): Promise<SeriesResult> {
  const findings: SeriesFinding[] = [];
  const series = { seed, from: 0, count, devices };
  const result = await runSeries({ ...series, onFinding: (finding) => void findings.push(finding) });
  expect(await told(findings, devices, seed)).toBe('');
  expect(result.wrong).toBe(0);
  // At most 1 %, and one more in a series as short as this.
  expect(result.undecided).toBeLessThanOrEqual(1 + count / 100);
  // A share of a few says nothing.
  if (count >= 20) expect(result.withDerivative).toBeGreaterThan(count / 2);
  return result;
}

describe('derivatives of random programs', () => {
  // One series for both devices: what is judged in doubles is most of the work.
  it('agree with differences in doubles, hardly any undecided, on cpu, and on webgpu if available', async () => {
    await expectRight(draws(5, 1000), typeof webgpu === 'string' ? [cpu] : [cpu, webgpu]);
  });

  it('agree in a fixed series, some with indices out of range', async () => {
    const count = draws(24, 160);
    const { astray, onTies } = await expectRight(count, [cpu], 21);
    // Those that begin on ties have the derivative of central differences there, or nearly all.
    expect(onTies.smooth + onTies.between).toBeGreaterThan(count / 8);
    expect(onTies.beside + onTies.rounded).toBeLessThan(count / 40);
    // Only here: a short series that is drawn anew may well have none.
    expect(astray).toBeGreaterThan(count / 100);
  });

  it('are not judged wrong where single precision loses the effect of a field that is no parameter', async () => {
    const { wrong } = await runSeries({ seed: 7712341, from: 1413, count: 1, devices: [cpu] });
    expect(wrong).toBe(0);
  });

  it('agree where a block derives powers by their exponent by hand', async () => {
    const { wrong } = await runSeries({ seed: 88001, from: 1948, count: 1, devices: [cpu] });
    expect(wrong).toBe(0);
  });

  it('agree where an adjoint adds in a branch at nodes that it finds after the branch', async () => {
    const { wrong } = await runSeries({ seed: 61104, from: 138, count: 1, devices: [cpu] });
    expect(wrong).toBe(0);
  });

  it('agree where a transposed product is that of a kernel that overwrites what it reads', async () => {
    const { wrong } = await runSeries({ seed: 610006, from: 192, count: 1, devices: [cpu] });
    expect(wrong).toBe(0);
  });
});

describe('the generator of random programs', () => {
  it('draws the same program for the same seed', () => {
    expect(generateProgram(seedOf(7, 3))).toEqual(generateProgram(seedOf(7, 3)));
    expect(generateProgram(seedOf(7, 3))).not.toEqual(generateProgram(seedOf(7, 4)));
  });

  it('uses every function of the language, phase, index, loop and schedule within 1500 programs', () => {
    const usage = new Usage();
    // Looked at now and then: what has been used stays used.
    for (let n = 0; n < 1500 && (n % 50 > 0 || usage.unused().length > 0); n++)
      usage.add(generateProgram(seedOf(SEED, n)));
    expect(usage.unused()).toEqual([]);
    expect(Object.keys(usage.counts())).toEqual(expect.arrayContaining(languageNames()));
  });
});
