import type { Device } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  f64Device,
  kernel,
  log,
  vec3,
} from '@gradsim/core';
import { evaluatorDevice } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { central, Link, Mote, toyScene } from '../toy.ts';

const RUN = { device: cpuDevice(), frames: 4, frameRate: 10, substeps: 5 };

describe('values that are not finite', () => {
  it('are found and named: field, component, entity, world, pass, substep', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), { ...RUN, worlds: 3 });
    // Mote 2 of world 1 blows up: its force over next to no mass.
    sim.set('motes.mass', [1, 1, 1e-44, 1], 1);
    sim.forward();
    await expect(sim.read('motes.position')).rejects.toThrow(
      /^motes.position is (NaN|-?Infinity): the first value that is not finite is motes.(velocity|position) of mote 2, component \d, world 1, written by move in substep 0\./,
    );
  });

  it('are found in the substep in which they come up', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), RUN);
    const wind = new Float64Array(45);
    wind[3 * 11 + 1] = 1e38;
    sim.set('world.wind', wind);
    sim.set('motes.gust', new Float64Array(16).fill(1e38));
    sim.forward();
    await expect(sim.read('motes.position')).rejects.toThrow(
      /written by (blow|force|motes.force) in substep 11/,
    );
  });

  it('are found in what setup derives and in frames', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), { ...RUN, record: ['world.energy'] });
    sim.set('world.tint', [1, 1, 1e38, 1]);
    sim.set('motes.mass', [1e38, 1, 1, 1]);
    sim.forward();
    await expect(sim.readFrames('world.energy')).rejects.toThrow(
      /written by (energy|world.energy) in frame 2/,
    );
    sim.set('world.tint', [1]);
    sim.set('motes.mass', [1, 1, 1, 1]);
    sim.set('world.strength', [-1]);
    sim.forward();
    await expect(sim.readFrames('world.energy')).rejects.toThrow(
      /links.firmness of entity \d+, component 0, written by stiffen in setup/,
    );
  });

  it('are refused where they are set', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), {
      ...RUN,
      worlds: 2,
      parameters: ['motes.mass'],
      outputs: ['motes.position'],
      derivative: 'tangent',
    });
    const masses = [1, 1, 1, 1, 1, Number.NaN, 1, 1];
    expect(() => sim.set('motes.mass', masses)).toThrow(
      'motes.mass of mote 1 is NaN; it must be a finite number.',
    );
    expect(() => sim.set('motes.mass', [1, 1, Number.NEGATIVE_INFINITY, 1], 1)).toThrow(
      'motes.mass of mote 2 is -Infinity',
    );
    expect(() => sim.setTangent('motes.mass', masses)).toThrow('motes.mass of mote 1 is NaN');
  });

  it('in a gradient alone are said to be an overflow of a derivative', async () => {
    // log(0 + 1) is finite; its derivative, written by hand on purpose without care, is not.
    const Scale = definePlugin({
      name: 'scale',
      contract: 1,
      requires: ['central-force'],
      build: ({ model }) => {
        model.addField('motes', 'size', f32, { fill: 0 });
        model.addPass(
          'force',
          kernel(
            'scaled',
            { domain: 'motes', reads: { size: f32 }, adds: { force: vec3 } },
            ({ size, force }) => {
              force.add(
                vec3(
                  log(size.add(1e-320))
                    .mul(0)
                    .add(size.div(size.add(1e-320))),
                  0,
                  0,
                ),
              );
            },
          ),
        );
      },
    });
    const scene = createScene([central, Scale]);
    const [a, b] = scene.addMany(Mote, 2, { position: [0, 0, 0, 1, 0, 0] });
    scene.add(Link, { ends: [a, b], stiffness: 1, restLength: 1 });
    const sim = await createSimulation(buildModel(scene), {
      ...RUN,
      device: f64Device(),
      parameters: ['motes.size'],
      outputs: ['motes.position'],
    });
    sim.forward();
    await sim.read('motes.position');
    sim.backward({ 'motes.position': new Array(6).fill(1) });
    await expect(sim.gradient('motes.size')).rejects.toThrow(
      /the gradient of motes.size is .*a derivative overflowed/,
    );
  });
});

describe('a device', () => {
  it('is told once to free what the simulation holds, however often dispose is called', async () => {
    let disposed = 0;
    const evaluator = evaluatorDevice();
    const counting: Device = {
      ...evaluator,
      createExecutor: async (spec) => {
        const executor = await evaluator.createExecutor(spec);
        return { ...executor, dispose: () => void disposed++ };
      },
    };
    const sim = await createSimulation(buildModel(toyScene().scene), { ...RUN, device: counting });
    sim.dispose();
    sim.dispose();
    expect(disposed).toBeGreaterThan(0);
  });
});
