import { createSimulation, f64Device } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { drag, gravity, motesModel, RUN, TRUTH, vx } from '../motes.ts';

const model = motesModel();

describe('unknowns', () => {
  it('set all elements, chosen ones or one component, and leave the rest as in the model', async () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag, vx] });
    const simulation = await createSimulation(model, {
      device: f64Device(),
      ...RUN,
      worlds: 2,
      record: ['motes.seen'],
    });
    unknowns.apply(simulation, [
      [-3, Math.log(0.2), 0.7],
      [-4, Math.log(0.3), 0.8],
    ]);
    // [world][element][component]
    expect([...(await simulation.read('motes.drag'))].map((x) => +x.toFixed(12))).toEqual([0.2, 0.2, 0.3, 0.3]);
    expect([...(await simulation.read('world.gravity'))]).toEqual([0, -3, 0, 0, -4, 0]);
    simulation.forward();
    // Frame 0 of world 1: the initial state, whose velocity shows one substep later only.
    expect([...(await simulation.readFrames('motes.seen'))].slice(0, 6)).toEqual([0, 1, 0, 0.5, 1, 0]);
    simulation.dispose();
  });
  it('have scales and bounds in transformed coordinates, from scale, range and transform of each parameter', () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag, { ...vx, scale: 0.3 }] });
    expect([...unknowns.scales()]).toEqual([4, 1, 0.3]);
    const bounds = unknowns.bounds();
    expect(bounds[0]).toEqual([-20, -1]);
    expect(bounds[1][1]).toBeCloseTo(Math.log(5), 12);
    expect(bounds[2]).toEqual([-0.3, 0.3]);
  });
  it('reflect points at the ends of their ranges, and leave those without a range unchanged', () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag, vx] });
    expect([...unknowns.folded([-21, Math.log(5) + 0.5, 77])].map((x) => +x.toFixed(12))).toEqual(
      [-19, Math.log(5) - 0.5, 77].map((x) => +x.toFixed(12)),
    );
  });
});

describe('unknowns are refused', () => {
  const refused = (specs: ParameterSpec[]) => expect(() => new Unknowns({ model, ...RUN, parameters: specs }));
  it('if there are none', () => refused([]).toThrowCode('optim/nothing-to-estimate'));
  it('with an unknown element, component or field, or no element', () => {
    refused([{ ...vx, elements: [2] }]).toThrowCode({
      code: 'optim/no-such-element',
      field: 'motes.velocity',
      values: [2, 'vx'],
    });
    refused([{ ...vx, component: 3 }]).toThrowCode({
      code: 'optim/no-such-element',
      field: 'motes.velocity',
      values: [3, 'vx'],
    });
    refused([{ ...vx, field: 'motes.weight' }]).toThrowCode({ code: 'core/unknown-field', field: 'motes.weight' });
    refused([{ ...vx, elements: [] }]).toThrowCode({ code: 'optim/no-element', field: 'motes.velocity' });
  });
  it('on a field of vectors without a component', () => {
    const { component: _, ...speed } = vx;
    refused([speed]).toThrowCode({ code: 'optim/component-missing', field: 'motes.velocity', values: [3, 'vx'] });
    expect(new Unknowns({ model, ...RUN, parameters: [drag] }).count).toBe(1);
  });
  it('if two set the same value, or have the same name', () => {
    refused([vx, { ...vx, name: 'speed', elements: [1, 0] }]).toThrowCode({
      code: 'optim/set-twice',
      values: ['motes.velocity', 'vx', 'speed'],
    });
    refused([vx, { ...vx, elements: [1] }]).toThrowCode({ code: 'optim/name-taken', values: ['vx'] });
  });
  it('with an initial value outside of the range', () =>
    refused([{ ...gravity, initial: TRUTH.gravity * 10 }]).toThrowCode({
      code: 'optim/start-outside',
      values: [-20, -1, /-98.1\d*/],
    }));
});

describe('misspelt or invalid options are refused', () => {
  const numbers = (change: object) =>
    expect(() => new Unknowns({ model, ...RUN, parameters: [{ ...drag, ...change }] }));
  it('of an unknown that is a single number', () => {
    numbers({ intial: 1 }).toThrowCode({ code: 'base/unknown-option', values: ['"intial"', '"initial"', 'drag'] });
    numbers({ scale: -1 }).toThrowCode({ code: 'optim/option-out-of-range', values: [-1, 'drag'] });
    numbers({ transform: 'logarithm' }).toThrowCode('optim/unknown-choice');
    numbers({ range: [0.1, 1e39] }).toThrowCode({ code: 'optim/range-wrong', values: ['[0.1, 1e+39]'] });
    numbers({ initial: 1e39, range: undefined }).toThrowCode({
      code: 'optim/start-outside',
      values: ['1e+39', '3.4e38', 'motes.drag'],
    });
    numbers({ prior: { mean: 1, deviation: 1 } }).toThrowCode({
      code: 'base/unknown-option',
      values: ['"deviation"', 'The prior of drag'],
    });
  });
  it('of an unknown array', () => {
    const array = { name: 'speed', field: 'motes.velocity', initial: 0 };
    const arrays = (change: object) => expect(() => new Unknowns({ model, ...RUN, arrays: [{ ...array, ...change }] }));
    arrays({ component: 1 }).toThrowCode({
      code: 'base/unknown-option',
      values: ['"component"', '"components"', 'speed'],
    });
    arrays({ scale: 0 }).toThrowCode({ code: 'optim/option-out-of-range', values: ['speed'] });
    arrays({ initial: -1e39 }).toThrowCode({
      code: 'optim/start-outside',
      values: ['-1e+39', '3.4e38', 'motes.velocity'],
    });
  });
});
