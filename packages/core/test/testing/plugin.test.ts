import type { Model } from '@gradsim/core';
import {
  adjointOf,
  buildModel,
  column,
  defineComponent,
  definePlugin,
  f32,
  fieldOn,
  kernel,
  max,
  perWorld,
  select,
  vec3,
} from '@gradsim/core';
import { checkGradients, checkPlugin } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { central, Mote, toyScene } from '../toy.ts';

const RUN = {
  frames: 5,
  frameRate: 10,
  substeps: 5,
  parameters: ['motes.mass', 'world.strength', 'motes.position'],
  outputs: ['motes.position', 'motes.velocity', 'world.energy'],
};

// A push in one substep, of what weighs more than 1.5 kg: a jump.
const jump = definePlugin({
  name: 'jump',
  contract: 1,
  build: ({ model }) => {
    const push = kernel(
      'push',
      { domain: Mote, reads: { mass: Mote.mass }, adds: { force: fieldOn('motes', vec3) } },
      ({ mass, force }, { element, substep }) =>
        force.add(element, vec3(select(mass.gt(1.5).and(substep.eq(7)), f32(50), 0), 0, 0)),
    );
    model.addPass('force', push);
  },
});

it('checkGradients names where runs part from the derivative, of a state that its outputs depend on', async () => {
  const run = { ...RUN, parameters: ['motes.mass'], outputs: ['world.energy'], seed: 4 };
  await expect(checkGradients(buildModel(toyScene([central, jump]).scene), run)).rejects.toThrowCode({
    code: 'kernel/comparison-failed',
    values: ['part from the derivative in substep 7, in motes.', 'by differences'],
  });
});

describe('checks of gradients refuse', () => {
  it('misspelt options, and a scene in place of a model', async () => {
    const { scene } = toyScene();
    const misspelt = { ...RUN, frameRat: 3 };
    for (const check of [checkPlugin(scene, misspelt), checkGradients(buildModel(scene), misspelt)])
      await expect(check).rejects.toThrowCode({ code: 'base/unknown-option', values: ['Did you mean "frameRate"?'] });
    await expect(checkGradients(scene as unknown as Model, RUN)).rejects.toThrowCode({
      code: 'base/wrong-type',
      values: ['buildModel(scene)'],
    });
  });
  it('parameters that act on no output: adjoint and tangent are 0, and nothing is tested', async () => {
    const run = { ...RUN, frames: 1, parameters: ['motes.mass'], outputs: ['motes.position'] };
    await expect(checkGradients(buildModel(toyScene().scene), run)).rejects.toThrowCode({
      code: 'core/nothing-to-check',
      values: ['motes.mass'],
    });
  });
  it('a scene without any element of a plugin', async () => {
    const Idle = defineComponent('idlers', { k: column(f32) });
    const idle = definePlugin({ name: 'idle', contract: 1, components: [Idle], build: () => {} });
    await expect(checkPlugin(toyScene([central, idle]).scene, RUN)).rejects.toThrowCode({
      code: 'core/nothing-to-check',
      values: ['idlers', 'idle'],
    });
  });
});

describe('checkPlugin', () => {
  it('checks a run of one frame, in which nothing moves', async () => {
    const one = { ...RUN, frames: 1, parameters: ['motes.position'], outputs: ['motes.position'] };
    expect((await checkPlugin(toyScene().scene, one)).findings).toHaveLength(7);
  });

  it('passes a plugin that keeps what a plugin must, and lists what it looked at', async () => {
    const { findings, seed } = await checkPlugin(toyScene().scene, { ...RUN, seed: 4 });
    expect(seed).toBe(4);
    expect(findings.map(({ problem }) => problem)).toEqual(Array(7).fill(null));
    expect(findings.map(({ property }) => property)).toContain('the same bits resumed from a state');
  });

  it('names the substep, the field and the mote where runs to both sides part from the derivative', async () => {
    await expect(
      checkPlugin(toyScene([central, jump]).scene, { ...RUN, parameters: ['motes.mass'], seed: 4 }),
    ).rejects.toThrowCode({
      code: 'core/plugin-check-failed',
      values: [
        'FAILED gradients',
        'part from the derivative in substep 7, in motes.position of mote',
        'ok     devices',
      ],
    });
  });

  it('names the place of a kink that only differences of larger steps meet, where rounding limits smaller ones', async () => {
    // A push that grows by a factor from beyond 1 + 2e-6 on; at 1 it is linear.
    const near = definePlugin({
      name: 'near',
      contract: 1,
      build: ({ model }) => {
        model.addField('world', 'k', f32, { fill: 1 });
        const push = kernel(
          'push',
          { domain: Mote, reads: { k: perWorld(f32) }, adds: { force: fieldOn('motes', vec3) } },
          ({ k, force }, { element, substep }) => {
            const beyond = select(substep.eq(7), max(k.sub(1 + 2e-6), 0).mul(1e4), 0);
            force.add(element, vec3(k.add(beyond), 0, 0));
          },
        );
        model.addPass('force', push);
      },
    });
    await expect(
      checkPlugin(toyScene([central, near]).scene, {
        ...RUN,
        parameters: ['world.k'],
        seed: 4,
        // Below the rounding of differences.
        differenceTolerance: 1e-13,
      }),
    ).rejects.toThrowCode({
      code: 'core/plugin-check-failed',
      values: [
        'runs so close part nowhere from it',
        'they part in substep 7, in motes.position of mote',
        'ok     devices',
      ],
    });
  });

  it('says where rounding decides about gradients in single precision', async () => {
    // A logistic map: in 21 substeps derivatives grow by a million.
    const chaos = definePlugin({
      name: 'chaos',
      contract: 1,
      build: ({ model }) => {
        model.addField('motes', 'x', f32, { fill: 0.1234 });
        const map = kernel('map', { domain: Mote, reads: { x: f32 }, writes: { x: f32 } }, ({ x }) => ({
          x: x.mul(x.neg().add(1)).mul(3.99),
        }));
        model.addPass('integrate', map);
      },
    });
    const x = { parameters: ['motes.x'], outputs: ['motes.x'] };
    await expect(
      checkPlugin(toyScene([central, chaos]).scene, { ...RUN, ...x, substeps: 5, seed: 4, differenceTolerance: 1 }),
    ).rejects.toThrowCode({
      code: 'core/plugin-check-failed',
      values: ['ok     gradients', 'of that by motes.x. Rounding decides about them, not the device'],
    });
  });

  it('names an adjoint that is wrong', async () => {
    const wrong = definePlugin({
      name: 'wrong',
      contract: 1,
      build: ({ model }) => {
        model.addField('world', 'k', f32, { fill: 1.3 });
        const adjoint = kernel(
          'squareAdjoint',
          {
            domain: 'world',
            reads: { k: f32, strength_bar: adjointOf('strength', f32) },
            adds: { k_bar: adjointOf('k', f32) },
          },
          ({ k, strength_bar, k_bar }) => k_bar.add(strength_bar.mul(k)),
        );
        model.addPass(
          'setup',
          kernel(
            'square',
            { domain: 'world', reads: { k: f32 }, writes: { strength: f32 }, adjoint: () => [adjoint] },
            ({ k }) => ({ strength: k.mul(k) }),
          ),
        );
      },
    });
    await expect(
      checkPlugin(toyScene([central, wrong]).scene, { ...RUN, parameters: ['world.k'], seed: 4 }),
    ).rejects.toThrowCode({ code: 'core/plugin-check-failed', values: ['square', 'ok     devices'] });
  });
});
