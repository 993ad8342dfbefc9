import type { MockInstance } from 'vitest';
import { describe, expect, it, vi } from 'vitest';
import { adjoint } from '../src/derivatives/adjoint.ts';
import { tangent } from '../src/derivatives/tangent.ts';
import type { Device } from '../src/devices/device.ts';
import { f64Device } from '../src/devices/f64.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import { everyStatement } from '../src/form/walk.ts';
import { forRange, loop, when } from '../src/language/control.ts';
import { cos, sin } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { localArray } from '../src/language/local-array.ts';
import { f32, u32 } from '../src/language/types.ts';
import { evaluatorDevice } from '../src/testing/evaluator.ts';
import { agree } from './support/agree.ts';
import { randomFields } from './support/random.ts';
import { runKernel } from './support/run-kernel.ts';

const { numbers, wholes } = randomFields('adjoints of loops');

const back = (form: KernelForm): KernelForm => adjoint(form, { wrt: new Set(['x']), seeds: new Set(['y']) });

const points = { domain: 'points', reads: { x: f32, rounds: u32 }, writes: { y: f32 } } as const;
/** Kernel that iterates x <- x + sin(x) / 50, by a counted loop (here) and by a loop with a test (next). */
const counted = kernel('counted', points, ({ x, rounds }) => ({
  y: forRange(0, rounds, x, (_, v) => v.add(sin(v).mul(0.02))),
})).form;
const tested = kernel('tested', points, ({ x, rounds }) => ({
  y: loop(
    { v: x, left: rounds },
    ({ left }) => left.gt(0),
    ({ v, left }) => ({ v: v.add(sin(v).mul(0.02)), left: left.sub(1) }),
  ).v,
})).form;

/** Returns dy/dx of either loop, as the product of the iterations' derivatives. */
function derivative(x: number, rounds: number): number {
  let [v, product] = [x, 1];
  for (let k = 0; k < rounds; k++) {
    product *= 1 + 0.02 * Math.cos(v);
    v += 0.02 * Math.sin(v);
  }
  return product;
}

/**
 * Runs `run` on the evaluator device; returns its results, and how often the device evaluated a sine, without
 * compilation.
 */
async function countingSines<R>(run: (device: Device) => Promise<R>): Promise<{ results: R; sines: number }> {
  const device = evaluatorDevice();
  const spies: MockInstance[] = [];
  const createExecutor: Device['createExecutor'] = async (spec) => {
    const executor = await device.createExecutor(spec);
    spies.push(vi.spyOn(Math, 'sin'));
    return executor;
  };
  try {
    const results = await run({ ...device, createExecutor });
    return { results, sines: spies.reduce((sum, { mock }) => sum + mock.calls.length, 0) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('the adjoint of a loop', () => {
  for (const form of [counted, tested]) {
    it(`runs each iteration at most 5 times, up to 20,000 iterations, and is right to 1e-12: ${form.name}`, async () => {
      for (const rounds of [0, 1, 2, 63, 64, 65, 66, 500, 1000, 2048, 4096, 20_000]) {
        const inputs = { x: [-0.3], rounds: [rounds], y_bar: [1] };
        const { results, sines } = await countingSines((device) =>
          runKernel(back(form), device, { elements: 1, inputs }),
        );
        // Counts what ran: the state of an iteration takes the sines of those before it.
        if (rounds > 2) expect(sines).toBeGreaterThan(rounds / 2);
        const runs = sines / Math.max(1, rounds);
        // One more run if all iterations have a checkpoint; a loop with a test counts its iterations first.
        const counting = form === tested ? 1 : 0;
        expect(runs).toBeLessThanOrEqual(counting + (rounds <= 65 ? 1 : rounds <= 4096 ? 3 : 4));
        const exact = derivative(-0.3, rounds);
        expect(Math.abs(results.x_bar[0] - exact)).toBeLessThanOrEqual(1e-12 * exact);
      }
    });

    it(`is correct where lanes have different numbers of iterations: ${form.name}`, async () => {
      const elements = 23;
      const [x, rounds] = [numbers(elements), wholes(elements, 0, 200)];
      const inputs = { x, rounds, y_bar: new Array<number>(elements).fill(1) };
      const { x_bar: bar } = await agree(back(form), { elements, inputs }, 1e-4);
      x.forEach((at, e) => expect(bar[e] / derivative(at, rounds[e])).toBeCloseTo(1, 4));
    });
  }

  it('is right with conditions, integers and arrays carried, and with loops within loops', async () => {
    const form = kernel('state', points, ({ x, rounds }) => {
      const start = { v: x, list: localArray(3, x), turns: u32(7), isUp: x.gt(0) };
      const end = forRange(0, rounds, start, (k, { v, list, turns, isUp }) => ({
        v: when(
          isUp,
          () => forRange(0, turns.rem(5), v, (_, w) => w.mul(0.9).add(cos(w).mul(0.2))),
          () => sin(v).sub(sin(list.get(turns.rem(3)))),
        ),
        list: list.set(k.rem(3), cos(list.get(turns.rem(3)).mul(v))),
        turns: turns.mul(5).add(k).rem(11),
        isUp: turns.and(1).eq(0).and(v.lt(0.7)),
      }));
      return { y: end.v.add(end.list.get(1)) };
    }).form;
    const elements = 9;
    const given = { x: Array.from(numbers(elements)), rounds: [0, 1, 3, 5, 40, 70, 100, 130, 9] };
    const ones = new Array<number>(elements).fill(1);
    // One number in, one out: the adjoint of 1 is the tangent of 1.
    const forth = tangent(form, { wrt: new Set(['x']) });
    const { 'new y_dot': dot } = await runKernel(forth, f64Device(), {
      elements,
      inputs: { ...given, x_dot: ones },
    });
    const { x_bar: bar } = await runKernel(back(form), f64Device(), {
      elements,
      inputs: { ...given, y_bar: ones },
    });
    bar.forEach((b, e) => expect(Math.abs(b - dot[e])).toBeLessThanOrEqual(1e-10 * Math.max(1, Math.abs(b))));
    const few = given.rounds.map((n) => n % 8);
    await agree(back(form), { elements, inputs: { ...given, rounds: few, y_bar: ones } }, 1e-4);
  });

  it('needs no local array for a sum', () => {
    const form = kernel('sum', points, ({ x, rounds }) => ({
      y: forRange(0, rounds, f32(0), (k, sum) => sum.add(sin(x.mul(k.toF32())))),
    })).form;
    const kinds = new Set([...everyStatement(back(form).root)].map(({ op }) => op));
    expect([...kinds].filter((op) => op === 'fill' || op === 'get' || op === 'set')).toEqual([]);
  });
});
