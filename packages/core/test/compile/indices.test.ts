import type { Device, Kernel, U32 } from '@gradsim/core';
import {
  compile,
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  floor,
  forRange,
  index,
  indexOn,
  kernel,
  Model,
  NO_ELEMENT,
  select,
  u32,
  when,
} from '@gradsim/core';
import { webgpuDevice } from '@gradsim/kernel';
import { evaluatorDevice } from '@gradsim/kernel/testing';
import { describe, expect, it } from 'vitest';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';

/** Default number of elements of the domain `cells`. */
const CELLS = 9;

/**
 * Builds a model of cells with heat, and with guard fields in memory before and after it, which no kernel should read.
 */
function modelOf(body: Kernel, { cells = CELLS, indices }: { cells?: number; indices?: number[] } = {}): Model {
  const model = new Model();
  model.addDomain('cells', cells, { describe: (element) => `cell "${'abcdefghi'[element]}"` });
  const values = (from: number): number[] => Array.from({ length: cells }, (_, k) => from + k);
  model.addField('cells', 'before', f32, { values: values(1000) });
  model.addField('cells', 'heat', f32, { values: values(1) });
  model.addField('cells', 'after', f32, { values: values(2000) });
  model.addField('cells', 'shift', f32, { fill: 0 });
  model.addField('cells', 'kept', f32, { fill: 0 });
  if (indices) model.addIndex('cells', 'left', 'cells', 1, indices);
  model.addPass('force', body);
  const made = body.form.outputs[0].port.name;
  model.addPass(
    'integrate',
    kernel(
      'keep',
      { domain: 'cells', reads: { [made]: f32 } as { made: typeof f32 }, writes: { kept: f32 } },
      (fields) => ({
        kept: (fields as unknown as Record<string, typeof fields.made>)[made],
      }),
    ),
  );
  return model;
}

const RUN = { frames: 2, frameRate: 10, substeps: 2 } as const;

async function run(model: Model, device: Device, worlds = 1, shift?: number[]) {
  const simulation = await createSimulation(model, {
    device,
    worlds,
    ...RUN,
    parameters: ['cells.heat'],
    outputs: ['cells.kept'],
  });
  if (shift) simulation.set('cells.shift', shift);
  simulation.forward();
  return simulation;
}

/** Kernel that reads the heat of the previous cell; the first cell has none. */
const readLeft = kernel(
  'readLeft',
  { domain: 'cells', reads: { heat: fieldOn('cells', f32) }, writes: { felt: f32 } },
  ({ heat }, { element }) => ({ felt: heat.at(element.sub(1)) }),
);
const addLeft = kernel(
  'addLeft',
  { domain: 'cells', reads: { heat: f32 }, adds: { felt: fieldOn('cells', f32) } },
  ({ heat, felt }, { element }) => felt.add(element.sub(1), heat),
);

type Reads = { readonly heat: { at(index: U32): ReturnType<typeof f32> } };
/** Kernel that reads the cell at a distance of `shift` from its own, with the given method. */
const moved = (name: string, read: (fields: Reads, at: U32) => ReturnType<typeof f32>): Kernel =>
  kernel(
    name,
    { domain: 'cells', reads: { heat: fieldOn('cells', f32), shift: f32 }, writes: { felt: f32 } },
    ({ heat, shift }, { element }) => ({
      felt: read({ heat } as Reads, element.toI32().add(floor(shift).toI32()).toU32()),
    }),
  );
const readMoved = moved('readMoved', ({ heat }, at) => heat.at(at));
const addMoved = kernel(
  'addMoved',
  { domain: 'cells', reads: { heat: f32, shift: f32 }, adds: { felt: fieldOn('cells', f32) } },
  ({ heat, shift, felt }, { element }) => felt.add(element.toI32().add(floor(shift).toI32()).toU32(), heat),
);

/** Returns the shifts of all cells: `steps` for one cell, 0 for the others. */
const shiftOf = (cell: number, steps: number): number[] =>
  Array.from({ length: CELLS }, (_, k) => (k === cell ? steps : 0));

const devices: [string, () => Device][] = [
  ['cpu', () => cpuDevice()],
  ['cpu without SIMD', () => cpuDevice({ simd: false })],
  ['cpu with two threads', () => cpuDevice({ threads: 2 })],
  ['cpu, sorted', () => ({ ...cpuDevice(), scatters: 'sorted' })],
  ['f64', () => f64Device()],
  ['evaluator', () => evaluatorDevice()],
];

function behavesOn(deviceOf: () => Device | Promise<Device>): void {
  it('an index out of range raises an alarm: a read at element - 1 by element 0', async () => {
    const simulation = await run(modelOf(readLeft), await deviceOf());
    await expect(simulation.read('cells.kept')).rejects.toThrowCode({
      code: 'kernel/access-out-of-range',
      field: 'cells.heat',
      element: 'cell "a"',
      values: [-1, 9, 0, 'readLeft'],
    });
    simulation.dispose();
  });

  for (const [cell, steps, named, worlds] of [
    [0, -1, '-1', 2],
    [8, 1, '9', 1],
    [4, 1e9, '1000000004', 3],
  ] as const)
    it(`an alarm names the run-time index ${named}, read or added to, in ${worlds} worlds, and a run without it works`, async () => {
      const device = await deviceOf();
      for (const [body, does] of [
        [readMoved, 'reads cells.heat'],
        [addMoved, 'adds to cells.felt'],
      ] as const) {
        const simulation = await run(modelOf(body), device, worlds, shiftOf(cell, steps));
        await expect(simulation.read('cells.kept')).rejects.toThrowCode({
          code: 'kernel/access-out-of-range',
          element: `cell "${'abcdefghi'[cell]}"`,
          values: [body.name, does, `index ${named},`],
        });
        simulation.set('cells.shift', shiftOf(cell, 0));
        simulation.forward();
        expect([...(await simulation.read('cells.kept'))].slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        simulation.backward({ 'cells.kept': new Array(9 * worlds).fill(1) });
        expect([...(await simulation.gradient('cells.heat'))].slice(0, 9)).toEqual(new Array(9).fill(1));
        simulation.dispose();
      }
    });

  it('an index out of range raises no alarm in a branch that is not taken, and one in an iteration of a loop', async () => {
    const branch = moved('branch', ({ heat }, at) =>
      when(
        at.lt(CELLS),
        () => heat.at(at),
        () => f32(0),
      ),
    );
    const device = await deviceOf();
    const calm = await run(modelOf(branch), device, 1, shiftOf(3, 7));
    expect([...(await calm.read('cells.kept'))]).toEqual([1, 2, 3, 0, 5, 6, 7, 8, 9]);
    calm.backward({ 'cells.kept': new Array(9).fill(1) });
    expect([...(await calm.gradient('cells.heat'))]).toEqual([1, 1, 1, 0, 1, 1, 1, 1, 1]);
    calm.dispose();
    const rounds = moved('rounds', ({ heat }, at) =>
      forRange(0, at.rem(5), f32(0), (k, sum) => sum.add(heat.at(at.add(k)))),
    );
    const simulation = await run(modelOf(rounds), device, 1, shiftOf(3, 1));
    await expect(simulation.read('cells.kept')).rejects.toThrowCode({
      code: 'kernel/access-out-of-range',
      field: 'cells.heat',
      element: 'cell "i"',
      values: [9],
    });
    simulation.dispose();
  });

  it('NO_ELEMENT: reads return 0 with derivative 0, and additions are dropped', async () => {
    const device = await deviceOf();
    const look = kernel(
      'look',
      { domain: 'cells', reads: { heat: fieldOn('cells', f32) }, writes: { felt: f32 } },
      ({ heat }, { element }) => ({
        felt: heat.at(select(element.gt(0), element.sub(1), NO_ELEMENT)).mul(2),
      }),
    );
    const give = kernel(
      'give',
      { domain: 'cells', reads: { heat: f32, shift: f32 }, adds: { felt: fieldOn('cells', f32) } },
      ({ heat, shift, felt }, { element }) => felt.add(select(shift.lt(0), u32(NO_ELEMENT), element), heat.mul(2)),
    );
    for (const [body, kept, gradient] of [
      [look, [0, 2, 4, 6, 8, 10, 12, 14, 16], [2, 2, 2, 2, 2, 2, 2, 2, 0]],
      [give, [0, 4, 6, 8, 10, 12, 14, 16, 18], [0, 2, 2, 2, 2, 2, 2, 2, 2]],
    ] as const) {
      const simulation = await run(modelOf(body), device, 1, shiftOf(0, -1));
      expect([...(await simulation.read('cells.kept'))]).toEqual(kept);
      simulation.backward({ 'cells.kept': new Array(9).fill(1) });
      expect([...(await simulation.gradient('cells.heat'))]).toEqual(gradient);
      simulation.dispose();
    }
  });

  it('NO_ELEMENT may be in index fields, also in one read at another; a read at NO_ELEMENT + 1 raises an alarm', async () => {
    const device = await deviceOf();
    const left = [NO_ELEMENT, 0, 1, 2, 3, 4, 5, 6, 7];
    const fields = { heat: fieldOn('cells', f32), left: index('cells') } as const;
    const own = kernel('own', { domain: 'cells', reads: fields, writes: { felt: f32 } }, ({ heat, left }) => ({
      felt: heat.at(left),
    }));
    const twice = kernel(
      'twice',
      { domain: 'cells', reads: { ...fields, list: indexOn('cells', 'cells') }, writes: { felt: f32 } },
      ({ heat, left, list }) => ({ felt: heat.at(list.at(left)) }),
    );
    const give = kernel(
      'give',
      { domain: 'cells', reads: { heat: f32, left: index('cells') }, adds: { felt: fieldOn('cells', f32) } },
      ({ heat, left, felt }) => felt.add(left, heat),
    );
    const beside = kernel('beside', { domain: 'cells', reads: fields, writes: { felt: f32 } }, ({ heat, left }) => ({
      felt: heat.at(left.add(1)),
    }));
    for (const [body, kept, gradient] of [
      [own, [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 1, 1, 1, 1, 1, 1, 0]],
      [twice, [0, 0, 1, 2, 3, 4, 5, 6, 7], [1, 1, 1, 1, 1, 1, 1, 0, 0]],
      [give, [2, 3, 4, 5, 6, 7, 8, 9, 0], [0, 1, 1, 1, 1, 1, 1, 1, 1]],
    ] as const) {
      const model = modelOf(body, { indices: left });
      if (body === twice) model.addIndex('cells', 'list', 'cells', 1, left);
      const simulation = await run(model, device);
      expect([...(await simulation.read('cells.kept'))]).toEqual(kept);
      simulation.backward({ 'cells.kept': new Array(9).fill(1) });
      expect([...(await simulation.gradient('cells.heat'))]).toEqual(gradient);
      simulation.dispose();
    }
    const wrong = await run(modelOf(beside, { indices: left }), device);
    await expect(wrong.read('cells.kept')).rejects.toThrowCode({
      code: 'kernel/access-out-of-range',
      field: 'cells.heat',
      element: 'cell "a"',
    });
    wrong.dispose();
  });

  it('a read of a field without elements raises an alarm at index 0, and returns 0 at NO_ELEMENT', async () => {
    const device = await deviceOf();
    for (const [at, isWrong] of [
      [0, true],
      [NO_ELEMENT, false],
    ] as const) {
      const body = kernel(
        'empty',
        { domain: 'cells', reads: { none: fieldOn('nobody', f32) }, writes: { felt: f32 } },
        ({ none }) => ({ felt: none.at(at) }),
      );
      const model = modelOf(body);
      model.addDomain('nobody', 0);
      model.addField('nobody', 'none', f32, { values: [] });
      const simulation = await createSimulation(model, { device, ...RUN });
      simulation.forward();
      const read = simulation.read('cells.kept');
      if (isWrong)
        await expect(read).rejects.toThrowCode({
          code: 'kernel/access-out-of-range',
          field: 'nobody.none',
          values: [0],
        });
      else expect([...(await read)]).toEqual(new Array(9).fill(0));
      simulation.dispose();
    }
  });

  it('an index computed from NaN, replaced by 0 if too large, reads within its field', async () => {
    const body = kernel(
      'lost',
      { domain: 'cells', reads: { heat: fieldOn('cells', f32), shift: f32 }, writes: { felt: f32 } },
      ({ heat, shift }) => {
        const at = floor(shift.div(shift)).toU32();
        return { felt: heat.at(select(at.lt(CELLS), at, u32(0))) };
      },
    );
    const simulation = await run(modelOf(body), await deviceOf());
    for (const value of await simulation.read('cells.kept')) expect(value).toBeLessThan(10);
    simulation.dispose();
  });

  it('a program without a model raises an alarm at an index out of range, and differentiates reads at valid ones', async () => {
    const f = await compile([readMoved], { sizes: { cells: 3 }, device: await deviceOf() });
    const heat = [1, 2, 3];
    await expect(f.run({ 'cells.heat': heat, 'cells.shift': [0, -2, 0] })).rejects.toThrowCode({
      code: 'kernel/access-out-of-range',
      field: 'cells.heat',
      element: 'element 1 of cells',
      values: [-1, 3, 'readMoved'],
    });
    const { 'cells.felt': felt } = await f.run({ 'cells.heat': heat, 'cells.shift': [1, 1, -2] });
    expect([...felt]).toEqual([2, 3, 1]);
    const { 'cells.heat': bar } = await f.vjp({ 'cells.felt': [1, 10, 100] });
    expect([...bar]).toEqual([100, 1, 10]);
    f.dispose();
  });
}

describe('an index that no element has', () => {
  for (const [name, deviceOf] of devices) describe(name, () => behavesOn(deviceOf));

  it('is refused where it is known before any run: an addition at element - 1', async () => {
    await expect(run(modelOf(addLeft), cpuDevice())).rejects.toThrowCode({
      code: 'kernel/index-out-of-range',
      element: 'cell "a"',
      values: [-1, 9, 'addLeft', 'cells'],
    });
  });

  it('is refused in an index field', () => {
    expect(() => modelOf(readLeft, { indices: [-1, 0, 1, 2, 3, 4, 5, 6, 7] })).toThrowCode({
      code: 'core/index-out-of-range',
      values: [-1, 9, 'cells'],
    });
  });
});

describeWithAdapter('an index that no element has, on the device webgpu', () => {
  behavesOn(() => webgpuDevice({ allowSoftware: true }));
});
