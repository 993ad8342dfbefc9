import { buildModel, createSimulation, definePlugin, f32, f64Device, kernel, sqrt } from '@gradsim/core';
import { describe, expect, it, vi } from 'vitest';
import { central, toyScene } from '../../toy.ts';

const RUN = { device: f64Device(), frames: 3, frameRate: 10, substeps: 5 };

/**
 * Plugin that declares a step limit: every mote is taken to be pulled by a spring of 200 N/m, w = sqrt(200 / m), stable
 * for 1 / dt > w / 2.
 */
const limited = definePlugin({
  name: 'limit',
  contract: 1,
  requires: ['central-force'],
  build: ({ model }) => {
    model.addField('motes', 'need', f32);
    const need = kernel('need', { domain: 'motes', reads: { mass: f32 }, writes: { need: f32 } }, ({ mass }) => ({
      need: sqrt(f32(200).div(mass)).mul(0.5),
    }));
    model.addPass('setup', need);
    model.addStepLimit('motes.need', ['motes.mass']);
  },
});

function limitedModel() {
  const { scene, motes } = toyScene([central, limited]);
  return { model: buildModel(scene), motes };
}

describe('the largest stable substep', () => {
  it('is that of the element that needs the most substeps, in any world, for the current values', async () => {
    const onWarning = vi.fn();
    const sim = await createSimulation(limitedModel().model, { ...RUN, worlds: 2, onWarning });
    sim.set('motes.mass', [4, 0.5, 2, 4], 0);
    sim.set('motes.mass', [4, 2, 0.02, 4], 1);
    const step = await sim.stableStep();
    expect(step).toEqual({
      dt: 0.02,
      ownDt: 0.02,
      element: 'mote 2',
      world: 1,
      from: { 'motes.mass': 0.02 },
    });
    sim.set('motes.mass', [2, 2, 2, 2]);
    expect((await sim.stableStep()).dt).toBeCloseTo(0.2, 12);
  });

  it('gives a warning when a simulation with a larger substep is created, with the number of substeps to take', async () => {
    const onWarning = vi.fn();
    const { model } = limitedModel();
    await createSimulation(model, { ...RUN, onWarning });
    expect(onWarning).not.toHaveBeenCalled();
    await createSimulation(model, { ...RUN, frameRate: 1, onWarning });
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(
        /^5 substeps a frame at 1 frames a second make a substep of 200 ms, above the largest stable one, about 1\d\d ms, which mote \d sets \(mass \d[\d.]* kg\): .* Take (6|7|8|9) or more substeps a frame instead of 5/,
      ),
    );
  });

  it('warns once on the console for several simulations of one model', async () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { model } = limitedModel();
    for (const frameRate of [1, 0.9, 0.8]) await createSimulation(model, { ...RUN, frameRate });
    expect(said).toHaveBeenCalledOnce();
    said.mockRestore();
  });

  it('does not warn up to a step that the model accepts', async () => {
    const onWarning = vi.fn();
    const { model } = limitedModel();
    model.acceptStep(0.2);
    await createSimulation(model, { ...RUN, frameRate: 1, onWarning });
    expect(onWarning).not.toHaveBeenCalled();
    await createSimulation(model, { ...RUN, frameRate: 0.9, onWarning });
    expect(onWarning).toHaveBeenCalledOnce();
    expect(() => model.acceptStep(0)).toThrowCode({ code: 'core/option-out-of-range', values: [0, 'acceptStep'] });
  });

  it('is printed with enough digits to differ from the substep', async () => {
    const onWarning = vi.fn();
    const { model } = limitedModel();
    const { dt } = await (await createSimulation(model, RUN)).stableStep();
    await createSimulation(model, { ...RUN, frameRate: 1 / (5 * dt * 1.0005), onWarning });
    const [[warning]] = onWarning.mock.calls;
    const [, own, stable] = /substep of (\S+) ms, above the largest stable one, about (\S+) ms/.exec(warning)!;
    expect(Number(own)).toBeGreaterThan(Number(stable));
  });

  it('is infinite in a model that states no limit', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), RUN);
    expect((await sim.stableStep()).dt).toBe(Number.POSITIVE_INFINITY);
  });

  it('can be computed between a run and its backward pass, without disturbing either', async () => {
    const { model } = limitedModel();
    const gradient = async (ask: boolean): Promise<Float64Array> => {
      const sim = await createSimulation(model, {
        ...RUN,
        frames: 6,
        parameters: ['motes.mass'],
        outputs: ['motes.position'],
        memory: 5000,
      });
      sim.forward();
      if (ask) await sim.stableStep();
      sim.backward({ 'motes.position': new Array(12).fill(1) });
      return sim.gradient('motes.mass');
    };
    expect(await gradient(true)).toEqual(await gradient(false));
  });
});
