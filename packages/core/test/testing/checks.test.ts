import type { Device } from '@gradsim/core';
import {
  adjointOf,
  buildModel,
  cpuDevice,
  createScene,
  definePlugin,
  detach,
  f32,
  f64Device,
  kernel,
  Model,
  max,
  perWorld,
  sin,
} from '@gradsim/core';
import { checkDevices, checkGradients, evaluatorDevice } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { whoseFault } from '../../src/testing/whose-fault.ts';
import { central, Mote, toyScene, wave } from '../toy.ts';

const RUN = { frames: 4, frameRate: 10, substeps: 5, outputs: ['world.energy', 'motes.position'] };

// y = k^2, with the derivative k instead of 2 k.
const square = kernel(
  'square',
  {
    domain: 'world',
    reads: { k: f32 },
    writes: { strength: f32 },
    adjoint: () => [
      kernel(
        'squareAdjoint',
        {
          domain: 'world',
          reads: { k: f32, s_bar: adjointOf('strength', f32) },
          adds: { k_bar: adjointOf('k', f32) },
        },
        ({ k, s_bar, k_bar }) => k_bar.add(s_bar.mul(k)),
      ),
    ],
  },
  ({ k }) => ({ strength: k.mul(k) }),
);
/** Plugin that makes a result depend on `k` through a value that derivatives treat as constant. */
const kinked = definePlugin({
  name: 'kinked',
  contract: 1,
  build: ({ model }) => {
    model.addField('world', 'k', f32, { fill: 1.3 });
    model.addPass(
      'setup',
      kernel('half', { domain: 'world', reads: { k: f32 }, writes: { strength: f32 } }, ({ k }) => ({
        strength: k.mul(detach(k)),
      })),
    );
  },
});

/** Plugin whose result does not depend on `slack`, but for rounding: .1 + .5 - .6 of it. */
const slackened = definePlugin({
  name: 'slackened',
  contract: 1,
  build: ({ model }) => {
    model.addField('world', 'slack', f32, { fill: 1.3 });
    model.addField('world', 'part', f32, { fill: 0.1 });
    model.addPass(
      'setup',
      kernel(
        'loosen',
        { domain: 'world', reads: { slack: f32, part: f32 }, writes: { strength: f32 } },
        ({ slack, part }) => {
          const parts = slack
            .mul(part)
            .add(slack.mul(part.mul(5)))
            .sub(slack.mul(part.mul(6)));
          return { strength: parts.add(1.7) };
        },
      ),
    );
  },
});

describe('checkGradients', () => {
  it('and checkDevices pass what does not depend on a parameter but for rounding', async () => {
    const model = buildModel(toyScene([central, slackened]).scene);
    const run = { ...RUN, parameters: ['world.slack', 'motes.mass'] };
    const { parameters } = await checkGradients(model, { ...run, seed: 3 });
    expect(Math.abs(parameters['world.slack'].tangent)).toBeLessThan(1e-14);
    expect(parameters['world.slack'].tangent).not.toBe(0);
    await checkDevices(model, { ...run, devices: [cpuDevice()], seed: 3 });
  });

  it('notes a parameter of which a run tests nothing, beside another of which it does', async () => {
    const beyond = definePlugin({
      name: 'beyond',
      contract: 1,
      build: ({ model }) => {
        model.addField('world', 'limit', f32, { fill: 1.3 });
        model.addPass(
          'setup',
          kernel('exceed', { domain: 'world', reads: { limit: f32 }, writes: { strength: f32 } }, ({ limit }) => ({
            strength: max(limit.sub(10), 0).add(1.7),
          })),
        );
      },
    });
    const model = buildModel(toyScene([central, beyond]).scene);
    const check = await checkGradients(model, { ...RUN, parameters: ['world.limit', 'motes.mass'], seed: 3 });
    expect(check.notes).toEqual([
      expect.stringMatching(/^The derivative by world\.limit is 0, so nothing of it was tested/),
    ]);
  });

  it('finds a wrong adjoint in a run, and names the parameter', async () => {
    const squared = definePlugin({
      name: 'squared',
      contract: 1,
      build: ({ model }) => {
        model.addField('world', 'k', f32, { fill: 1.3 });
        model.addPass('setup', square);
      },
    });
    const scene = createScene([central, squared]);
    scene.add(Mote, { position: [1, 0, 0] });
    const error = await checkGradients(buildModel(scene), {
      ...RUN,
      parameters: ['world.k', 'motes.mass'],
      seed: 3,
    }).catch((e: Error) => e);
    const message = (error as Error).message;
    expect(message).toMatch(/^gradient through 4 frames of 5 substeps \(seed 3\): 1 of 4 comparisons failed\./);
    expect(message).toMatch(/FAILED world.k: adjoint and tangent: error [^ ]+, allowed 1e-10/);
    expect(message).toMatch(/ok +motes.mass: tangent and central differences/);
    expect(message).toMatch(/The adjoint written by hand of kernel square is wrong: with the derived one/);
  });

  it('fails where derivatives treat a dependence as constant (detach)', async () => {
    const scene = createScene([central, kinked]);
    scene.add(Mote, { position: [1, 0, 0] });
    await expect(checkGradients(buildModel(scene), { ...RUN, parameters: ['world.k'], seed: 3 })).rejects.toThrowCode(
      'kernel/comparison-failed',
    );
  });

  it('blames the core if all adjoints are derived, or derived ones differ as well', async () => {
    const failed = [{ comparison: 'x', kind: 'transpose' as const, error: 1, tolerance: 1e-10 }];
    const trial = { transposeTolerance: 1e-10, transposeError: async () => 1 };
    const derived = buildModel(toyScene().scene);
    expect(await whoseFault(derived, failed, trial)).toMatch(
      /^All adjoints of this model are derived. This is a fault of @gradsim\/core/,
    );
    const byHand = buildModel(toyScene([central, kinked]).scene);
    byHand.addPass('setup', square);
    const passes = [...byHand.passes];
    expect(await whoseFault(byHand, failed, trial)).toMatch(
      /^With derived adjoints in place of those written by hand \(square\).*a fault of @gradsim\/core/,
    );
    expect(byHand.passes).toEqual(passes);
    expect(await whoseFault(derived, [{ ...failed[0], error: 0 }], trial)).toBeUndefined();
  });
});

describe('checkDevices', () => {
  const options = {
    ...RUN,
    parameters: ['world.strength', 'motes.mass', 'links.stiffness', 'world.wind'],
    values: { 'world.wind': wave(45) },
    seed: 11,
  };
  it('returns errors of cpu and f64 against doubles, those of f64 being 0', async () => {
    const cpu = cpuDevice();
    const { devices } = await checkDevices(buildModel(toyScene().scene), {
      ...options,
      devices: [cpu, f64Device()],
    });
    expect(devices.map((d) => d.device)).toEqual(['cpu', 'f64']);
    expect(Object.keys(devices[0].gradientErrors)).toEqual(options.parameters);
    for (const errors of Object.values(devices[1])) {
      if (typeof errors === 'object') for (const error of Object.values(errors)) expect(error).toBe(0);
    }
    cpu.dispose();
  });
  it('detects a device that computes wrong results', async () => {
    const evaluator = evaluatorDevice();
    // Results 1 % too large.
    const wrong: Device = {
      ...evaluator,
      kind: 'cpu',
      async createExecutor(spec) {
        const executor = await evaluator.createExecutor(spec);
        return {
          ...executor,
          readF32: async (...of) => (await executor.readF32(...of)).map((x) => x * 1.01),
        };
      },
    };
    await expect(checkDevices(buildModel(toyScene().scene), { ...options, devices: [wrong] })).rejects.toThrowCode({
      code: 'kernel/comparison-failed',
      values: ['motes.position', 'FAILED'],
    });
  });
});

describe('a scalar whose gradient is cancelled by the weights of the outputs', () => {
  // Both outputs have the same derivative, and the first two weights nearly cancel.
  const model = new Model();
  model.addDomain('dots', 2);
  model.addField('world', 'k', f32, { fill: 1.3 });
  model.addField('dots', 'seen', f32);
  model.addPass(
    'observe',
    kernel('show', { domain: 'dots', reads: { k: perWorld(f32) }, writes: { seen: f32 } }, ({ k }) => ({
      seen: sin(k),
    })),
  );
  const weights = (seed: number): number => {
    const random = randomNumbers(seed);
    return Math.abs(random() + random() - 1);
  };
  const seed = Array.from({ length: 1e6 }, (_, k) => k).find((k) => weights(k) < 1e-6)!;
  const options = { frames: 1, frameRate: 10, substeps: 1, parameters: ['world.k'], outputs: ['dots.seen'], seed };

  it('passes checkGradients and checkDevices, though it is below 1e-5', async () => {
    expect(weights(seed)).toBeLessThan(1e-6);
    const { parameters } = await checkGradients(model, options);
    expect(Math.abs(parameters['world.k'].adjoint)).toBeLessThan(1e-5);
    const cpu = cpuDevice();
    await checkDevices(model, { ...options, devices: [cpu] });
    cpu.dispose();
  });
});
