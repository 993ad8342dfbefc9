import { f64Device } from '@gradsim/core';
import type { Estimate, EstimateOptions, ParameterSpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, type ExpectedError, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { drag, gravity, motesModel, motesProblem, seenBy, vx } from '../motes.ts';

const device = f64Device();
const normal = normalNumbers(randomNumbers(seedOfRun('ties', 3)));
const seen = await seenBy(motesModel(), 0.01, normal);
const found = (rest: Partial<Problem>): Promise<Estimate> => estimate(motesProblem(seen, rest), { device });
const METHODS: readonly EstimateOptions[] = [
  { search: { method: 'levenberg-marquardt' } },
  { search: { method: 'l-bfgs', tolerance: 1e-13 }, uncertainty: { standardErrors: true } },
];

const omega: ParameterSpec = { name: 'omega', initial: 1, unit: 'rad/s' };
const rim = { field: 'motes.velocity', elements: [0], components: [0] } as const;
const gravityField = { field: 'world.gravity', components: [1] } as const;

describe('a tie', () => {
  it.each(METHODS)('with factor 0.05 gives 1 / 0.05 times the estimate and standard error: %j', async (options) => {
    // v = omega r, r = 0.05 m.
    const direct = await found({ parameters: [gravity, drag, vx], options });
    const tied = await found({
      parameters: [gravity, drag, omega],
      ties: [{ ...rim, compute: (v) => 0.05 * v.omega }],
      options,
    });
    expect(0.05 * tied.parameters.omega.estimate).toBeCloseTo(direct.parameters.vx.estimate, 6);
    expect(0.05 * tied.parameters.omega.standardError!).toBeCloseTo(direct.parameters.vx.standardError!, 7);
    expect(tied.parameters.omega.unit).toBe('rad/s');
    expect(tied.parameters.drag.estimate).toBeCloseTo(direct.parameters.drag.estimate, 5);
  });

  it.each(METHODS)('may take several parameters, and a parameter may occur in several ties: %j', async (options) => {
    // The terminal speed of a fall is g / drag.
    const direct = await found({ parameters: [gravity, drag], options });
    const tied = await found({
      parameters: [
        { name: 'terminal', initial: -10, unit: 'm/s', range: [-100, -1] },
        { ...drag, field: undefined },
      ],
      ties: [
        { ...gravityField, compute: ({ terminal, drag: d }) => terminal * d },
        { field: 'motes.drag', compute: ({ drag: d }) => d },
      ],
      options,
    });
    const { gravity: g, drag: d } = direct.parameters;
    expect(tied.parameters.terminal.estimate).toBeCloseTo(g.estimate / d.estimate, 4);
    expect(tied.parameters.drag.estimate).toBeCloseTo(d.estimate, 5);
    expect(tied.loss).toBeCloseTo(direct.loss, 9);
  });

  it('may return a number for each element and component', async () => {
    const turned = await found({
      parameters: [gravity, drag, { name: 'spin', initial: 1 }],
      // Both motes fly as points of one body that rotates about z.
      ties: [{ field: 'motes.velocity', components: [0, 1], compute: ({ spin }) => [0.4 * spin, 1, -0.2, 2] }],
    });
    const direct = await found({ parameters: [gravity, drag, vx] });
    expect(0.4 * turned.parameters.spin.estimate).toBeCloseTo(direct.parameters.vx.estimate, 6);
  });

  it('that throws during a search makes the search skip the point', async () => {
    let refused = 0;
    const compute = ({ g }: Readonly<Record<string, number>>): number => {
      if (g < -12) {
        refused++;
        throw new Error('too heavy');
      }
      return g;
    };
    const g: ParameterSpec = { name: 'g', initial: -4, range: [-20, -1] };
    const parameters = [g, drag, vx];
    const tied = await found({ parameters, ties: [{ ...gravityField, compute }], options: { search: { scan: 32 } } });
    const direct = await found({ parameters: [gravity, drag, vx] });
    expect(tied.parameters.g.estimate).toBeCloseTo(direct.parameters.gravity.estimate, 4);
    expect(refused).toBeGreaterThan(0);
  });

  it('with unknown names, too many or infinite values, an occupied place or no parameters is refused, as is a parameter without use', async () => {
    const refused = async (rest: Partial<Problem>, expected: ExpectedError): Promise<void> => {
      await expect(found(rest)).rejects.toThrowCode(expected);
    };
    const parameters = [gravity, omega];
    await refused(
      { parameters, ties: [{ ...rim, compute: (v) => v.omgea }] },
      { code: 'optim/unknown-parameter', values: ['"omgea"', 'gravity, omega'] },
    );
    await refused(
      { parameters, ties: [{ ...rim, compute: ({ omega: w }) => [w, w] }] },
      { code: 'optim/wrong-size', values: [2] },
    );
    await refused(
      { parameters, ties: [{ ...rim, compute: ({ omega: w }) => w / 0 }] },
      { code: 'optim/value-out-of-range', field: 'motes.velocity' },
    );
    await refused(
      { parameters: [gravity, vx, omega], ties: [{ ...rim, compute: (v) => v.omega }] },
      { code: 'optim/set-twice', values: ['vx', 'the tie of motes.velocity'] },
    );
    await refused({ parameters, ties: [{ ...rim, compute: () => 1 }] }, 'optim/idle-tie');
    await refused({ parameters }, { code: 'optim/idle-parameter', values: ['omega'] });
  });
});

describe('a derived value', () => {
  const terminal = { compute: (v: Readonly<Record<string, number>>) => v.gravity / v.drag, unit: 'm/s' };

  it('has the standard error that it has as a parameter, which includes correlations of those that it depends on', async () => {
    const direct = await found({ parameters: [gravity, drag, vx], derived: { terminal } });
    const asParameter = await found({
      parameters: [{ name: 'terminal', initial: -10 }, drag, vx],
      ties: [{ ...gravityField, compute: ({ terminal: t, drag: d }) => t * d }],
    });
    const { estimate: value, standardError, interval, unit, from } = direct.derived.terminal;
    expect(value).toBeCloseTo(asParameter.parameters.terminal.estimate, 3);
    expect(standardError! / asParameter.parameters.terminal.standardError!).toBeCloseTo(1, 3);
    expect(interval![1] - interval![0]).toBeCloseTo(2 * 1.96 * standardError!, 9);
    expect({ unit, from }).toEqual({ unit: 'm/s', from: ['gravity', 'drag'] });
    // Its value if gravity and drag were independent differs.
    const { gravity: g, drag: d } = direct.parameters;
    const alone = Math.hypot(g.standardError! / g.estimate, d.standardError! / d.estimate) * Math.abs(value);
    expect(Math.abs(alone / standardError! - 1)).toBeGreaterThan(0.05);
  });

  it('has an infinite standard error if it depends on an undetermined parameter, and a finite one otherwise', async () => {
    const idle: ParameterSpec = { ...vx, name: 'vz', component: 2 };
    const weights = [1, 1, 0];
    const { derived } = await found({
      parameters: [gravity, idle],
      derived: { both: { compute: (v) => v.gravity + v.vz }, one: { compute: (v) => 2 * v.gravity } },
      observation: { weights },
    } as Partial<Problem>);
    expect(derived.both.standardError).toBe(Number.POSITIVE_INFINITY);
    expect(Number.isFinite(derived.one.standardError)).toBe(true);
  });

  it('that throws at the estimate is NaN, with the reason; standard errors of parameters are kept', async () => {
    const compute = ({ drag: d }: Readonly<Record<string, number>>): number => {
      if (d > 0.3) throw new Error('too much drag');
      return d;
    };
    const { derived, parameters } = await found({ derived: { less: { compute } } });
    expect(derived.less).toMatchObject({ estimate: Number.NaN, standardError: null });
    expect(derived.less.withoutValue).toBe('too much drag');
    expect(parameters.drag.standardError).toBeGreaterThan(0);
  });

  it('has a bootstrap interval of its own if requested, which contains its estimate', async () => {
    const { derived } = await found({ derived: { terminal }, options: { uncertainty: { intervals: 'bootstrap' } } });
    const [low, high] = derived.terminal.bootstrap!;
    expect(low).toBeLessThan(derived.terminal.estimate);
    expect(high).toBeGreaterThan(derived.terminal.estimate);
  });

  it('without a function, with unknown names, a taken name or an unknown option is refused', async () => {
    const wrong = (derived: unknown): Promise<Estimate> => found({ derived } as Partial<Problem>);
    await expect(wrong({ terminal: (v: object) => v })).rejects.toThrowCode({
      code: 'optim/no-function',
      values: ['`compute`'],
    });
    await expect(wrong({ terminal: { compute: (v: Record<string, number>) => v.mass } })).rejects.toThrowCode({
      code: 'optim/unknown-parameter',
      values: ['"mass"'],
    });
    await expect(wrong({ drag: terminal })).rejects.toThrowCode('optim/name-taken');
    await expect(wrong({ terminal: { ...terminal, unti: 's' } })).rejects.toThrowCode({
      code: 'base/unknown-option',
      values: ['unti'],
    });
  });
});
