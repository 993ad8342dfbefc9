// Controllers that were trained over many worlds: the kept ones do on starts and goals that training has not seen what they
// are kept for (all of them are for `npm run -s bench -- policies`), their gradients are right, and a short training makes
// less of what it is to make less of.
import { cpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { unseenErrors } from '../src/control/reach-any/train.ts';
import { heldUprightOf } from '../src/control/swing/held.ts';
import { packWeights, storedWeights } from '../src/control/swing/kept.ts';
import { angleController, pendulumModel, pixelController } from '../src/control/swing/pendulum.ts';
import { angleTraining } from '../src/control/swing/train-angles.ts';
import reachAny from '../src/reach-any.ts';
import swingUp from '../src/swing-up.ts';

const device = cpuDevice();

describe('a pendulum controlled by a network', () => {
  it('with angles as inputs and the stored weights it swings up from 8 of 8 unseen starts, and holds', async () => {
    const weights = storedWeights('swing-up-angles');
    const { held, unseen } = await heldUprightOf(pendulumModel([angleController({})]), weights, {
      device,
      unseen: 8,
      seed: 2,
    });
    expect([held, unseen]).toEqual([8, 8]);
  });

  it('without training it is never held upright from 4 unseen starts', async () => {
    const { held } = await heldUprightOf(pendulumModel([angleController({})]), {}, { device, unseen: 4 });
    expect(held).toBe(0);
  });

  it('gradients of the loss by weights and states agree with central differences', async () => {
    const model = pendulumModel([angleController({})]);
    const parameters = ['balanceLayer1Weights.weight', 'balanceOutputs.bias', 'links.rate'];
    const over = { frames: 5, frameRate: 40, substeps: 5, parameters, outputs: ['world.unrest'] };
    await checkGradients(model, over);
    await checkDevices(model, { ...over, devices: [device] });
  });

  it('a short training reduces the loss, and gives the same weights when repeated', async () => {
    const { model, ...problem } = angleTraining({ seed: 3, iterations: 6, worlds: 8 });
    const short = { model, ...problem, options: { search: { ...problem.options?.search, horizons: [0.25, 1] } } };
    const [one, again] = [await estimate(short, { device }), await estimate(short, { device })];
    const mean = (from: number): number =>
      one.history.slice(from, from + 3).reduce((sum, { loss }) => sum + loss / 3, 0);
    expect(mean(4)).toBeLessThan(mean(0));
    expect(again.arrays).toEqual(one.arrays);
  });

  it('weights are stored in single precision', () => {
    const weights = storedWeights('swing-up-angles');
    const packed = JSON.parse(packWeights(weights)) as Record<string, string>;
    expect(Object.keys(packed)).toEqual(Object.keys(weights));
    for (const [key, text] of Object.entries(packed)) {
      const bytes = Buffer.from(text, 'base64');
      expect(bytes.readFloatLE(0)).toBe(weights[key][0]);
      expect(bytes.length).toBe(4 * weights[key].length);
    }
  });

  it.each([
    [{ sees: 'smell' }, { code: 'optim/setting-value', values: ['"smell"', 'angles, pixels'] }],
    [{ worlds: '0' }, { code: 'optim/setting-value', values: ['"0"'] }],
    [{ goal: 'top' }, { code: 'optim/unknown-setting', values: ['"goal"'] }],
  ])('refuses the settings %o', async (settings, expected) => {
    const given = settings as Record<string, string>;
    await expect(swingUp.stages({ device, settings: given, log: () => {} })).rejects.toThrowCode(expected);
  });

  it('with pixels as inputs and the stored weights it swings up from at least 7 of 10 unseen starts, and holds', async () => {
    const weights = storedWeights('swing-up-pixels');
    const { held, unseen } = await heldUprightOf(pendulumModel([pixelController({})]), weights, {
      device,
      unseen: 10,
      seed: 5,
    });
    console.info(`by pixels: ${held} of ${unseen}`);
    expect(held).toBeGreaterThanOrEqual(7);
  });

  it('with pixels as inputs the network reads no joint rates', () => {
    const model = pendulumModel([pixelController({})]);
    const read = model
      .kernels()
      .filter(({ owner }) => owner === '@gradsim/control/watch')
      .flatMap(({ kernel }) =>
        kernel.form.ports.filter((port) => port.access === 'read').map(({ field }) => field?.key),
      );
    // The pose goes into the picture; rates go nowhere.
    expect(read).toContain('links.coordinate');
    expect(read).not.toContain('links.rate');
  });
});

describe('a rolling body controlled to reach any goal', () => {
  it('with the stored weights has errors below 0.2 m^2 for three goals not used in training', async () => {
    const errors = await unseenErrors(storedWeights('reach-any'), { device, unseen: 3, seed: 3 });
    console.info(`errors, m^2: ${errors.map((error) => error.toPrecision(2)).join(', ')}`);
    for (const error of errors) expect(error).toBeLessThan(0.2);
    // Without weights it stays metres away.
    const none = await unseenErrors(
      { 'reachSight0Weights.weight': new Float64Array(16 * 1152) },
      { device, unseen: 1, seed: 3 },
    );
    expect(none[0]).toBeGreaterThan(1);
  });

  it('refuses a batch larger than the number of worlds', async () => {
    const settings = { worlds: '4', batch: '8' };
    await expect(reachAny.stages({ device, settings, log: () => {} })).rejects.toThrow(/batch is 8/);
  });
});
