import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build } from '../../../scripts/setup.js';

interface Found {
  readonly gradients: number[];
  readonly speed: number;
}
type Report = { readonly mayEvaluate: boolean } & Readonly<Record<'cpu' | 'f64', Found>>;

const run = (...flags: string[]): Report =>
  JSON.parse(
    execFileSync(process.execPath, [...flags, join(import.meta.dirname, 'fixtures/throw.js')], {
      encoding: 'utf8',
    }),
  );

it('gradients and estimates are the same whether or not Node forbids code generation from strings', () => {
  build();
  const forbidden = run('--disallow-code-generation-from-strings');
  expect(forbidden.mayEvaluate).toBe(false);
  expect({ ...forbidden, mayEvaluate: true }).toEqual(run());
  const { cpu, f64 } = forbidden;
  expect(f64.speed).toBeCloseTo(1.25, 6);
  expect(cpu.speed).toBeCloseTo(1.25, 3);
  // The faster it is thrown the further it slides, and the rougher the ground the less.
  expect(f64.gradients[0]).toBeGreaterThan(0.1);
  expect(f64.gradients.at(-1)).toBeLessThan(0);
  cpu.gradients.forEach((value, k) => expect(value).toBeCloseTo(f64.gradients[k], 3));
});
