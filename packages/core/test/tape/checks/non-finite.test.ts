import type { Device, F32, FieldOptions, SimulationOptions } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  f64Device,
  kernel,
  vec3,
} from '@gradsim/core';
import { evaluatorDevice } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { central, Link, Mote, toyScene } from '../../toy.ts';

const RUN = { device: cpuDevice(), frames: 4, frameRate: 10, substeps: 5 };

describe('values that are not finite', () => {
  it('are located and named: field, entity, world, pass, substep', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), { ...RUN, worlds: 3 });
    // Mote 2 of world 1 blows up: its force divided by almost no mass.
    sim.set('motes.mass', [1, 1, 1e-44, 1], 1);
    sim.forward();
    await expect(sim.read('motes.position')).rejects.toThrowCode({
      code: 'core/not-finite',
      field: 'motes.position',
      element: 'mote 2',
      values: ['NaN', 1, 'move', 'in substep 0'],
    });
  });

  it('are located in the substep in which they arise', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), RUN);
    const wind = new Float64Array(45);
    wind[3 * 11 + 1] = 1e38;
    sim.set('world.wind', wind);
    sim.set('motes.gust', new Float64Array(16).fill(1e38));
    sim.forward();
    await expect(sim.read('motes.position')).rejects.toThrowCode({
      code: 'core/not-finite',
      field: 'motes.force',
      values: ['blow', 'in substep 11'],
    });
  });

  it('are located in values that setup derives and in frames', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), { ...RUN, record: ['world.energy'] });
    sim.set('world.tint', [1, 1, 1e38, 1]);
    sim.set('motes.mass', [1e38, 1, 1, 1]);
    sim.forward();
    await expect(sim.readFrames('world.energy')).rejects.toThrowCode({
      code: 'core/not-finite',
      field: 'world.energy',
      values: ['in frame 2'],
    });
    sim.set('world.tint', [1]);
    sim.set('motes.mass', [1, 1, 1, 1]);
    sim.set('world.strength', [-1]);
    sim.forward();
    await expect(sim.readFrames('world.energy')).rejects.toThrowCode({
      code: 'core/not-finite',
      field: 'links.firmness',
      element: 'element 0 of links',
      values: ['stiffen', 'in setup'],
    });
  });

  it('do not prevent reading inputs, even after steps', async () => {
    const sim = await createSimulation(buildModel(toyScene().scene), { ...RUN, device: f64Device() });
    sim.set('motes.mass', [1, 1, 1e-44, 1]);
    sim.set('motes.gust', new Float64Array(16).fill(1e20));
    sim.set('world.wind', new Float64Array(45).fill(1e38));
    sim.step();
    await expect(sim.read('motes.position')).rejects.toThrowCode({
      code: 'core/not-finite',
      values: ['motes.position'],
    });
    await expect(sim.read('motes.position')).rejects.toThrowCode({
      code: 'core/not-finite',
      values: ['motes.position'],
    });
    expect([...(await sim.read('motes.mass'))]).toEqual([1, 1, 1e-44, 1]);
    expect(sim.readSync('world.wind')).toHaveLength(45);
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
    expect(() => sim.set('motes.mass', masses)).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'motes.mass',
      element: 'mote 1',
      values: ['NaN'],
    });
    expect(() => sim.set('motes.mass', [1, 1, Number.NEGATIVE_INFINITY, 1], 1)).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'motes.mass',
      element: 'mote 2',
      values: ['-Infinity'],
    });
    expect(() => sim.setTangent('motes.mass', masses)).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'motes.mass',
      element: 'mote 1',
      values: ['NaN'],
    });
  });

  it('are named in a gradient as in a run: pass, field, element, world, substep, behind checkpoints too', async () => {
    for (const [memory, isStepped] of [
      [1e6, false],
      [3000, false],
      [1e6, true],
    ] as const) {
      const sim = await edgy('force', { memory, worlds: 2, parameters: ['motes.size', 'motes.velocity'] });
      // The derivative overflows in substep 7 alone, of mote 1 in world 1; later ones run back before it.
      const sizes = new Float64Array(15 * 2 * 2).fill(1);
      sizes[7 * 4 + 3] = 0;
      sim.set('motes.size', sizes);
      if (isStepped) for (let frame = 0; frame < 3; frame++) sim.step();
      else sim.forward();
      await sim.read('motes.position');
      sim.backward({ 'motes.position': new Array(12).fill(1) });
      await expect(sim.gradient('motes.size')).rejects.toThrowCode({
        code: 'core/derivative-not-finite',
        field: 'motes.size',
        element: 'element 1 of motes',
        values: ['NaN', 'edge_adjoint', '0, world 1', 'in substep 7'],
      });
      sim.dispose();
    }
  });

  it('are named in a gradient through frames and through setup', async () => {
    const frames = await edgy('observe', { parameters: ['motes.size'], outputs: ['motes.seen'] });
    frames.set('motes.size', new Float64Array(2 * 4).fill(1).fill(0, 4, 5));
    frames.forward();
    frames.backward({ 'motes.seen': new Array(4 * 2).fill(1) });
    await expect(frames.gradient('motes.size')).rejects.toThrowCode({
      code: 'core/derivative-not-finite',
      field: 'motes.size',
      element: 'element 0 of motes',
      values: ['edge_adjoint', 'in frame 2'],
    });
    const setup = await edgy('setup', { parameters: ['motes.size'] });
    setup.set('motes.size', [1, 0]);
    setup.forward();
    setup.backward({ 'motes.position': new Array(6).fill(1) });
    await expect(setup.gradient('motes.size')).rejects.toThrowCode({
      code: 'core/derivative-not-finite',
      field: 'motes.size',
      element: 'element 1 of motes',
      values: [0, 'edge_adjoint', 'in setup'],
    });
  });
});

/** Builds the toy model with a kernel whose value is finite and whose derivative is not finite where a size is 0. */
async function edgy(phase: 'setup' | 'force' | 'observe', options: Partial<SimulationOptions>) {
  const moments = phase === 'setup' ? {} : { variesBy: phase === 'force' ? 'substep' : 'frame' };
  // size / (size + 1e-320) is 0 at 0, and its derivative 1e320.
  const edge = (size: F32) => size.div(size.add(1e-320));
  const reads = { size: f32 };
  const at = { domain: 'motes', reads } as const;
  const Edge = definePlugin({
    name: 'edge',
    contract: 1,
    requires: ['central-force'],
    build: ({ model }) => {
      model.addField('motes', 'size', f32, { fill: 1, ...moments } as FieldOptions);
      const made = { ...at, writes: { [phase === 'observe' ? 'seen' : 'edged']: f32 } };
      if (phase !== 'force')
        model.addPass(
          phase,
          kernel('edge', made, ({ size }) => ({ [phase === 'observe' ? 'seen' : 'edged']: edge(size) })),
        );
      if (phase === 'force')
        model.addPass(
          'force',
          kernel('edge', { ...at, adds: { force: vec3 } }, ({ size, force }) => force.add(vec3(edge(size), 0, 0))),
        );
      if (phase === 'setup')
        model.addPass(
          'force',
          kernel('push', { domain: 'motes', reads: { edged: f32 }, adds: { force: vec3 } }, ({ edged, force }) =>
            force.add(vec3(edged, 0, 0)),
          ),
        );
    },
  });
  const scene = createScene([central, Edge]);
  const [a, b] = scene.addMany(Mote, 2, { position: [0, 0, 0, 1, 0, 0] });
  scene.add(Link, { ends: [a, b], stiffness: 1, restLength: 1 });
  return createSimulation(buildModel(scene), {
    ...RUN,
    device: f64Device(),
    outputs: ['motes.position'],
    ...(phase === 'observe' ? { record: ['motes.seen'] } : {}),
    ...options,
  });
}

describe('a device', () => {
  it('frees the memory of a simulation that is disposed of, which may be repeated', async () => {
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
