import type { Pass, Phase } from '@gradsim/core';
import {
  adjointOf,
  bind,
  block,
  cpuDevice,
  createSimulation,
  deadParameters,
  detach,
  f32,
  f64Device,
  fieldOn,
  floor,
  forRange,
  iterate,
  kernel,
  Model,
  select,
  u32,
  when,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';

// Parameters that act only through comparisons, whole numbers, indices and counts: their gradient is 0 everywhere,
// which is misleading.

const run = { frames: 3, frameRate: 2, substeps: 2 } as const;
const ends = { parameters: ['world.threshold'], outputs: ['a.x'] };

const move = kernel(
  'move',
  { domain: 'a', reads: { x: f32, push: f32 }, writes: { x: f32 } },
  ({ x, push }, { dt }) => ({ x: x.add(push.mul(dt)) }),
);
const own = { domain: 'a', reads: { x: f32, threshold: fieldOn('world', f32) }, writes: { push: f32 } } as const;
const switchOn = kernel('switchOn', own, ({ x, threshold }) => ({
  push: select(x.gt(threshold.at(0)), f32(1), 0.5),
}));

function modelOf(...passes: (readonly [Phase, Pass | Parameters<Model['addPass']>[1]])[]): Model {
  const model = new Model();
  model.addDomain('a', 3);
  model.addField('a', 'x', f32, { values: [1, 2, 4] });
  model.addField('world', 'threshold', f32, { fill: 1.5 });
  for (const [phase, pass] of passes) model.addPass(phase, pass);
  model.addPass('integrate', move);
  return model;
}
const opened = (model: Model, more = {}) => createSimulation(model, { device: f64Device(), ...run, ...ends, ...more });

describe('a parameter that acts only through operations without a derivative', () => {
  it('is refused in a run with derivatives, naming it, the kernel that compares it and the field it is compared with', async () => {
    const whole = {
      code: 'core/dead-parameter',
      values: ["`derivative: 'none'`", 0, 1, 'world.threshold', 'a.x', 'switchOn'],
    };
    await expect(opened(modelOf(['force', switchOn]))).rejects.toThrowCode(whole);
    await expect(opened(modelOf(['force', switchOn]), { device: cpuDevice() })).rejects.toThrowCode(whole);
    await expect(opened(modelOf(['force', switchOn]), { derivative: 'tangent' })).rejects.toThrowCode(whole);
    await expect(checkGradients(modelOf(['force', switchOn]), { ...run, ...ends })).rejects.toThrowCode(whole);
  });

  it('is not refused in a run without derivatives and parameters', async () => {
    const simulation = await opened(modelOf(['force', switchOn]), { derivative: 'none', parameters: [] });
    simulation.forward();
    expect((await simulation.read('a.x'))[1]).toBeCloseTo(3, 12);
  });

  it('is allowed if it also has a differentiable path, or is a field that is not among the parameters', async () => {
    const both = kernel('both', own, ({ x, threshold }) => ({
      push: select(x.gt(threshold.at(0)), x.sub(threshold.at(0)), 0.5),
    }));
    await checkGradients(modelOf(['force', both]), {
      ...run,
      ...ends,
      parameters: ['world.threshold', 'a.x'],
    });
    const model = modelOf(['force', switchOn]);
    await checkGradients(model, { ...run, ...ends, parameters: ['a.x'] });
  });

  it.each([
    [
      'the condition of a branch',
      kernel('branch', own, ({ x, threshold }) => ({
        push: when(
          x.lt(threshold.at(0).mul(2)),
          () => x.mul(2),
          () => x,
        ),
      })),
      { code: 'core/dead-parameter', values: ['a.x', 'world.threshold'] },
    ],
    [
      'a value compared with a number',
      kernel('number', own, ({ x, threshold }) => ({
        push: select(threshold.at(0).ge(1), x, 0.5),
      })),
      {
        code: 'core/dead-parameter',
        values: ['Kernel number (phase force) compares world.threshold with a number or the time (ge)'],
      },
    ],
    [
      'the argument of floor',
      kernel('rounded', own, ({ x, threshold }) => ({
        push: x.mul(floor(threshold.at(0))),
      })),
      {
        code: 'core/dead-parameter',
        values: ['Kernel rounded (phase force) takes floor of world.threshold, which has no derivative'],
      },
    ],
    [
      'an index',
      kernel('picked', { ...own, reads: { ...own.reads, others: fieldOn('a', f32) } }, ({ x, threshold, others }) => ({
        push: x.mul(others.at(threshold.at(0).toU32())),
      })),
      {
        code: 'core/dead-parameter',
        values: ['Kernel picked (phase force) makes a whole number of world.threshold (toU32)'],
      },
    ],
    [
      'the number of rounds of a loop',
      kernel('counted', own, ({ x, threshold }) => ({
        push: forRange(u32(0), threshold.at(0).toU32(), x, (_, sum) => sum.mul(0.5)),
      })),
      {
        code: 'core/dead-parameter',
        values: ['Kernel counted (phase force) makes a whole number of world.threshold (toU32)'],
      },
    ],
    [
      'a detached value',
      kernel('detached', own, ({ x, threshold }) => ({
        push: x.mul(detach(threshold.at(0))),
      })),
      {
        code: 'core/dead-parameter',
        values: ['Kernel detached (phase force) takes world.threshold as a constant (detach)'],
      },
    ],
  ] as const)('is refused if it acts only as %s', async (_, acting, expected) => {
    const model = modelOf(['force', acting.name === 'picked' ? bind(acting, { others: 'x' }) : acting]);
    await expect(opened(model)).rejects.toThrowCode(expected);
  });

  it('is detected if one pass scales it and another, in phase control or search, chooses a whole number by it', async () => {
    const scaled = kernel(
      'scaled',
      { domain: 'world', reads: { threshold: f32 }, writes: { limit: f32 } },
      ({ threshold }) => ({ limit: threshold.mul(2) }),
    );
    const count = kernel(
      'count',
      { domain: 'a', reads: { x: f32, limit: fieldOn('world', f32) }, writes: { stage: u32 } },
      ({ x, limit }) => ({ stage: select(x.lt(limit.at(0)), u32(1), u32(2)) }),
    );
    const act = kernel(
      'act',
      { domain: 'a', reads: { x: f32, stage: u32 }, writes: { push: f32 } },
      ({ x, stage }) => ({ push: x.mul(stage.toF32()) }),
    );
    const expected = {
      code: 'core/dead-parameter',
      values: ['Kernel count (phase control) compares a.x with world.limit (lt)'],
    };
    await expect(opened(modelOf(['setup', scaled], ['control', count], ['force', act]))).rejects.toThrowCode(expected);
    const found = modelOf(['setup', scaled], ['search', count], ['force', act]);
    await expect(opened(found)).rejects.toThrowCode({
      code: 'core/dead-parameter',
      values: ['Kernel count (phase search) compares a.x with world.limit (lt)'],
    });
  });

  it('is detected if it acts only on the number of rounds of an iteration', async () => {
    const halve = kernel(
      'halve',
      { domain: 'world', reads: { left: f32, threshold: f32 }, writes: { left: f32 } },
      ({ left, threshold }) => ({ left: left.mul(select(threshold.gt(1), f32(0.5), 0.25)) }),
    );
    const twice = kernel('twice', { domain: 'a', reads: { push: f32 }, writes: { push: f32 } }, ({ push }) => ({
      push: push.mul(0.9),
    }));
    const model = modelOf([
      'force',
      iterate([halve, twice], { until: { field: 'left', below: 0.1 }, maxRounds: 20, name: 'settling' }),
    ]);
    model.addField('world', 'left', f32, { fill: 1 });
    model.addField('a', 'push', f32, { fill: 1 });
    await expect(opened(model)).rejects.toThrowCode({
      code: 'core/dead-parameter',
      values: ['Kernel halve (phase force) compares world.threshold with a number or the time (gt)'],
    });
  });

  it('is detected if it enters a block whose given derivative leaves it out', async () => {
    const passOn = kernel('passOn', own, ({ x, threshold }) => ({ push: x.mul(threshold.at(0)) }));
    const back = kernel(
      'back',
      {
        domain: 'a',
        reads: { bar: adjointOf('push', f32), threshold: fieldOn('world', f32) },
        adds: { xBar: adjointOf('x', f32) },
      },
      ({ bar, threshold, xBar }) => xBar.add(bar.mul(threshold.at(0))),
    );
    const model = modelOf(['force', block([passOn], { vjp: [back], name: 'closed' })]);
    await opened(model, { parameters: ['a.x'] });
    await expect(opened(model)).rejects.toThrowCode({
      code: 'core/dead-parameter',
      values: ['The derivative of closed does not go to world.threshold'],
    });
  });
});

describe('a parameter that reaches no output', () => {
  it('is refused, naming it, the field computed from it and the output', async () => {
    const shown = kernel(
      'shown',
      { domain: 'world', reads: { threshold: f32 }, writes: { shown: f32 } },
      ({ threshold }) => ({ shown: threshold.mul(2) }),
    );
    const model = modelOf(['force', kernel('push', { domain: 'a', writes: { push: f32 } }, () => ({ push: f32(1) }))]);
    model.addPass('pose', shown);
    const whole = { code: 'core/dead-parameter', values: ['`outputs`', 'world.threshold', 'world.shown', 'a.x'] };
    await expect(opened(model)).rejects.toThrowCode(whole);
    await expect(checkGradients(model, { ...run, ...ends })).rejects.toThrowCode(whole);
    await opened(model, { record: ['world.shown'], outputs: ['world.shown'] });
  });
});

it('deadParameters finds a parameter that acts only through a comparison, and names that, without a device', () => {
  const dead = deadParameters(modelOf(['force', switchOn]), {
    parameters: ['world.threshold', 'a.x'],
    outputs: ['a.x'],
  });
  expect([...dead.keys()]).toEqual(['world.threshold']);
  expect(dead.get('world.threshold')).toEqual({
    reaches: 'values',
    note: expect.stringContaining('compares a.x with world.threshold (gt).'),
  });
});
