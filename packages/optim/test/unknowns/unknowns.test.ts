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
  it('convert natural steps and ranges to transformed coordinates', () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag, { ...vx, scale: 0.3 }] });
    expect([...unknowns.scales()]).toEqual([4, 1, 0.3]);
    const bounds = unknowns.bounds();
    expect(bounds[0]).toEqual([-20, -1]);
    expect(bounds[1][1]).toBeCloseTo(Math.log(5), 12);
    expect(bounds[2]).toEqual([-0.3, 0.3]);
  });
  it('reflect points at the ends of their ranges, and leave unbounded ones unchanged', () => {
    const unknowns = new Unknowns({ model, ...RUN, parameters: [gravity, drag, vx] });
    expect([...unknowns.folded([-21, Math.log(5) + 0.5, 77])].map((x) => +x.toFixed(12))).toEqual(
      [-19, Math.log(5) - 0.5, 77].map((x) => +x.toFixed(12)),
    );
  });
});

describe('unknowns are refused', () => {
  const refused = (specs: ParameterSpec[]) => expect(() => new Unknowns({ model, ...RUN, parameters: specs }));
  it('if there are none', () => refused([]).toThrow(/nothing to estimate/));
  it('with an unknown element, component or field', () => {
    refused([{ ...vx, elements: [2] }]).toThrow(/The parameter vx: motes.velocity has 2 elements, there is no 2/);
    refused([{ ...vx, component: 3 }]).toThrow(/The parameter vx: motes.velocity has 3 components, there is no 3/);
    refused([{ ...vx, field: 'motes.weight' }]).toThrow(/no field "motes.weight"/);
    refused([{ ...vx, elements: [] }]).toThrow(/vx names no elements of motes.velocity/);
  });
  it('on a field of vectors without a component, and show how to write it', () => {
    const { component: _, ...speed } = vx;
    refused([speed]).toThrow(
      'The parameter vx goes to motes.velocity, which has 3 components, and names none of them. One number goes to one ' +
        "component. Write `component: 0` (of 0 to 2). For all of them, write an array in the problem's `arrays`, " +
        "{ name: 'vx', field: 'motes.velocity', initial: 0 }, with `tied: ['components']` if they are to have one value.",
    );
    expect(new Unknowns({ model, ...RUN, parameters: [drag] }).count).toBe(1);
  });
  it('if two set the same value, or have the same name', () => {
    refused([vx, { ...vx, name: 'speed', elements: [1, 0] }]).toThrow(/Both vx and speed set motes.velocity\[0\]\[0\]/);
    refused([vx, { ...vx, elements: [1] }]).toThrow(/Two parameters have the name vx/);
  });
  it('with a start outside of the range', () =>
    refused([{ ...gravity, initial: TRUTH.gravity * 10 }]).toThrow(
      /gravity starts at -98.1\d*, which is outside of its range, -20 to -1/,
    ));
});

describe('misspelt or invalid options are refused', () => {
  const numbers = (change: object) =>
    expect(() => new Unknowns({ model, ...RUN, parameters: [{ ...drag, ...change }] }));
  it('of a number', () => {
    numbers({ intial: 1 }).toThrow('The parameter drag has no option "intial". Did you mean "initial"?');
    numbers({ scale: -1 }).toThrow('The parameter drag has the scale -1. It must be a number above 0.');
    numbers({ transform: 'logarithm' }).toThrow('there are identity, log and bounded');
    numbers({ range: [0.1, 1e39] }).toThrow('has the range [0.1,1e+39]. It must be two finite numbers.');
    numbers({ initial: 1e39, range: undefined }).toThrow(
      'starts at 1e+39; motes.drag must be within 3.4e38, where single precision ends.',
    );
    numbers({ prior: { mean: 1, deviation: 1 } }).toThrow('The prior of drag has no option "deviation"');
  });
  it('of an array', () => {
    const array = { name: 'speed', field: 'motes.velocity', initial: 0 };
    const arrays = (change: object) => expect(() => new Unknowns({ model, ...RUN, arrays: [{ ...array, ...change }] }));
    arrays({ component: 1 }).toThrow('The array speed has no option "component". Did you mean "components"?');
    arrays({ scale: 0 }).toThrow('The array speed has the scale 0. It must be a number above 0.');
    arrays({ initial: -1e39 }).toThrow('starts at -1e+39; motes.velocity must be within 3.4e38');
  });
});
