import type { ComparedFrame, Comparison, Device, Simulation, SimulationOptions } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  f32,
  f64Device,
  fieldOn,
  forRange,
  kernel,
  Model,
  quat,
  select,
  sin,
  vec3,
  webgpuDevice,
} from '@gradsim/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import { wave } from '../toy.ts';

// Sums over residuals compared with sums in JavaScript of the values read back.

/**
 * Builds a model of pixels whose colours `knobs` control, except those beyond a third of the picture; and of rotated
 * bodies.
 */
function modelOf(elements: number, knobs: number, elementsTogether: boolean): Model {
  const model = new Model();
  model.addDomain('pixels', elements, { elementsTogether });
  model.addDomain('things', 3);
  model.addDomain('knobs', knobs);
  model.addField('knobs', 'value', f32, { values: wave(knobs, 1) });
  const paint = kernel(
    'paint',
    { domain: 'pixels', reads: { value: fieldOn('knobs', f32) }, writes: { color: vec3 } },
    ({ value }, { element, frame }) => {
      const place = element.toF32().mul(0.37).add(frame.toF32());
      const sum = forRange(0, knobs, f32(0), (k, all) => all.add(sin(value.at(k).add(place.mul(k.toF32().add(1))))));
      const lit = select(element.lt(Math.ceil(elements / 3)), sum, f32(0));
      return { color: vec3(lit, lit.mul(lit), f32(0.3)) };
    },
  );
  const turn = kernel(
    'turn_things',
    { domain: 'things', reads: { value: fieldOn('knobs', f32) }, writes: { turned: quat } },
    ({ value }, { element, frame }) => {
      const at = element.toF32().add(frame.toF32().mul(0.2));
      const of = (k: number) =>
        value
          .at(k % knobs)
          .mul(0.4)
          .add(at.mul(k + 1))
          .sub(0.3);
      return { turned: quat(sin(of(0)), sin(of(1)).mul(0.5), sin(of(2)).mul(0.1), sin(of(3))) };
    },
  );
  model.addPass('render', paint);
  model.addPass('observe', turn);
  return model;
}

/** Number of frames of a run. */
const FRAMES = 4;

interface Case {
  readonly elements: number;
  readonly knobs: number;
  readonly runs: number;
  readonly instants: number;
  readonly parts: number;
  readonly elementsTogether: boolean;
  readonly weights: 'none' | 'same' | 'other';
  /** Number of components that are compared, if not all. */
  readonly compared?: number;
  /** Number of worlds of a run, and of tangents of each, if columns do not have a world each. */
  readonly held?: { readonly worldsOfRun: number; readonly tangents: number };
}

const [N, C] = [2000, 3];
const SEVERAL: Case = {
  elements: 203,
  knobs: 1,
  runs: 2,
  instants: 1,
  parts: 1,
  elementsTogether: true,
  weights: 'other',
};
const CASES: Case[] = [
  { elements: 1024, knobs: 1, runs: 1, instants: 1, parts: 1, elementsTogether: true, weights: 'none' },
  { elements: N, knobs: 5, runs: 2, instants: 2, parts: 1, elementsTogether: true, weights: 'same' },
  { elements: 203, knobs: 3, runs: 1, instants: 1, parts: 3, elementsTogether: true, weights: 'other' },
  { elements: 203, knobs: 3, runs: 2, instants: 1, parts: 2, elementsTogether: false, weights: 'other' },
  { elements: 512, knobs: 11, runs: 2, instants: 1, parts: 2, elementsTogether: true, weights: 'same' },
  { elements: 3, knobs: 9, runs: 1, instants: 2, parts: 1, elementsTogether: false, weights: 'none' },
  ...[
    { ...SEVERAL, knobs: 5, held: { worldsOfRun: 2, tangents: 3 } },
    { ...SEVERAL, knobs: 3, elementsTogether: false, held: { worldsOfRun: 1, tangents: 3 } },
    { ...SEVERAL, knobs: 11, instants: 2, held: { worldsOfRun: 4, tangents: 3 } },
    { ...SEVERAL, knobs: 3, compared: 2 },
    { ...SEVERAL, knobs: 9, compared: 1, elementsTogether: false },
    { ...SEVERAL, knobs: 9, parts: 2, elementsTogether: false, held: { worldsOfRun: 10, tangents: 1 } },
  ],
];

function comparisonOf({ elements, instants, weights, compared = C }: Case): Comparison {
  const rootWeights = wave(compared * elements, 7).map(Math.abs);
  const frames = (instants === 2 ? [1] : [0, 2, 3]).map(
    (frame): ComparedFrame => ({
      frame,
      target: wave(compared * elements, frame + 3),
      rootWeights:
        weights === 'none' ? null : weights === 'same' ? rootWeights : wave(compared * elements, frame).map(Math.abs),
    }),
  );
  return { field: 'pixels.color', instants, frames, components: compared };
}

const rotations = (): Comparison => ({
  field: 'things.turned',
  instants: 1,
  isRotation: true,
  frames: [1, 3].map((frame) => ({ frame, target: wave(12, frame + 11), rootWeights: wave(9, frame + 4) })),
});

/** Returns the residuals of a run in one world, [frame][component * elements + element]. */
async function residualsOf(sim: Simulation, comparison: Comparison, world: number): Promise<Float64Array[]> {
  const shown = await sim.readFrames(comparison.field);
  const { elements, components } = sim.shape(comparison.field);
  const at = (frame: number, c: number, e: number): number =>
    shown[((frame * sim.worlds + world) * elements + e) * components + c];
  return comparison.frames.map(({ frame, target, rootWeights }) => {
    if (comparison.isRotation) {
      const all = new Float64Array(3 * elements);
      for (let e = 0; e < elements; e++) {
        const own = (c: number): number => at(frame, c, e);
        const turned = rotation(
          [0, 1, 2, 3].map((c) => target[c * elements + e]),
          [0, 1, 2, 3].map(own),
        );
        for (let c = 0; c < 3; c++) all[c * elements + e] = turned[c] * rootWeights![c * elements + e];
      }
      return all;
    }
    return Float64Array.from(target, (seen, k) => {
      const [c, e] = [Math.floor(k / elements), k % elements];
      let mean = 0;
      for (let i = 0; i < comparison.instants; i++)
        mean += at(frame * comparison.instants + i, c, e) / comparison.instants;
      return (rootWeights?.[k] ?? 1) * mean - seen;
    });
  });
}

/** Returns the rotation vector of q conj(p), rad, from its axis and the arc cosine of its real part. */
function rotation(p: readonly number[], q: readonly number[]): number[] {
  const [a, b, c, d] = q;
  const [x, y, z] = [-p[0], -p[1], -p[2]];
  const w = p[3];
  const v = [d * x + a * w + b * z - c * y, d * y + b * w + c * x - a * z, d * z + c * w + a * y - b * x];
  const scalar = d * w - a * x - b * y - c * z;
  const n = Math.hypot(...v);
  const angle = 2 * Math.acos(Math.min(1, Math.abs(scalar) / Math.hypot(n, scalar)));
  return v.map((one) => (Math.sign(scalar) * angle * one) / n);
}

const open = (device: Device, of: Case, options: Partial<SimulationOptions>): Promise<Simulation> =>
  createSimulation(modelOf(of.elements, of.knobs, of.elementsTogether), {
    device,
    frames: FRAMES,
    frameRate: 10,
    substeps: 1,
    record: ['pixels.color', 'things.turned'],
    ...options,
  });

const knobsOf = ({ knobs }: Case, run: number): number[] => [...wave(knobs, 20 + run)];

/** Returns J of a comparison in a run by central differences, [column][frame][value], in double precision. */
async function differences(of: Case, comparison: Comparison, run: number): Promise<Float64Array[][]> {
  const sim = await open(f64Device(), of, {});
  const at = async (knob: number, step: number): Promise<Float64Array[]> => {
    sim.set(
      'knobs.value',
      knobsOf(of, run).map((value, k) => (k === knob ? value + step : value)),
    );
    sim.forward();
    return residualsOf(sim, comparison, 0);
  };
  const columns: Float64Array[][] = [];
  for (let knob = 0; knob < of.knobs; knob++) {
    const [above, below] = [await at(knob, 1e-5), await at(knob, -1e-5)];
    columns.push(above.map((frame, f) => frame.map((value, k) => (value - below[f][k]) / 2e-5)));
  }
  sim.dispose();
  return columns;
}

function expectNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length);
  const size = Math.max(1e-3, ...Array.from(expected, Math.abs));
  const off = Math.max(0, ...Array.from(expected, (value, k) => Math.abs(found[k] - value) / size));
  expect(off).toBeLessThan(tolerance);
}

function checks(deviceOf: () => Promise<Device>): void {
  let device: Device;
  beforeAll(async () => {
    device = await deviceOf();
  });
  afterAll(() => device.dispose());

  it.each(CASES)('comparisons with targets sum products of residuals and Jacobian columns: %o', async (of) => {
    const tolerance = device.precision === 'f64' ? 1e-8 : 2e-4;
    const comparisons = [comparisonOf(of), rotations()];
    const { parts, runs, knobs: n, held } = of;
    const { worldsOfRun, tangents } = held ?? { worldsOfRun: n, tangents: 1 };
    const sim = await open(device, of, {
      worlds: runs * worldsOfRun,
      tangents,
      parameters: ['knobs.value'],
      derivative: 'tangent',
      comparisons: { list: comparisons, columns: n, worldsOfRun: held?.worldsOfRun, parts },
    });
    for (let world = 0; world < runs * worldsOfRun; world++) {
      sim.set('knobs.value', knobsOf(of, Math.floor(world / worldsOfRun)), world);
      for (let tangent = 0; tangent < tangents; tangent++) {
        const column = tangent * worldsOfRun + (world % worldsOfRun);
        sim.setTangent(
          'knobs.value',
          Float64Array.from({ length: n }, (_, k) => Number(k === column)),
          world,
          tangent,
        );
      }
    }
    sim.forward();
    const sums = await sim.readComparisons();
    for (const [c, comparison] of comparisons.entries())
      for (let run = 0; run < runs; run++) {
        const residuals = await residualsOf(sim, comparison, run * worldsOfRun);
        const columns = await differences(of, comparison, run);
        const { elements } = sim.shape(comparison.field);
        const { bounds } = sums[c];
        residuals.forEach((residual, f) => {
          for (let part = 0; part < parts; part++) {
            const own = [...residual.keys()].filter((k) => {
              const e = k % elements;
              return e >= bounds[part] && e < bounds[part + 1];
            });
            const sum = (term: (k: number) => number): number => own.reduce((all, k) => all + term(k), 0);
            const at = (f * parts + part) * runs + run;
            const { squares, scores, information } = sums[c];
            // Of the same values, in the precision of the device.
            expectNear([squares[at]], [sum((k) => residual[k] ** 2)], Math.min(tolerance, 1e-6));
            expectNear(
              scores.subarray(at * n, (at + 1) * n),
              columns.map((column) => sum((k) => column[f][k] * residual[k])),
              tolerance,
            );
            expectNear(
              information.subarray(at * n * n, (at + 1) * n * n),
              columns.flatMap((a) => columns.map((b) => sum((k) => a[f][k] * b[f][k]))),
              tolerance,
            );
          }
        });
      }
    sim.dispose();
  });

  it('comparisons sum products of tangents to a relative 1e-13, also those in single precision', async () => {
    const of: Case = { ...CASES[0], knobs: 3 };
    const comparison = comparisonOf(of);
    const n = of.knobs;
    const sim = await open(device, of, {
      worlds: n,
      parameters: ['knobs.value'],
      derivative: 'tangent',
      comparisons: { list: [comparison], columns: n },
    });
    sim.set('knobs.value', knobsOf(of, 0));
    for (let world = 0; world < n; world++)
      sim.setTangent(
        'knobs.value',
        Float64Array.from({ length: n }, (_, k) => Number(k === world)),
        world,
      );
    sim.forward();
    const [{ information }] = await sim.readComparisons();
    const tangents = await sim.readTangentFrames('pixels.color');
    const perWorld = C * of.elements;
    comparison.frames.forEach(({ frame }, f) => {
      const column = (world: number): Float64Array =>
        tangents.subarray((frame * n + world) * perWorld, (frame * n + world + 1) * perWorld);
      const products = [0, 1, 2].flatMap((i) =>
        [0, 1, 2].map((j) => column(i).reduce((sum, t, k) => sum + t * column(j)[k], 0)),
      );
      expectNear(information.subarray(f * n * n, (f + 1) * n * n), products, 1e-13);
    });
    sim.dispose();
  });

  it.each(CASES)('comparisons give gradients of sums of squares that agree with differences: %o', async (of) => {
    const tolerance = device.precision === 'f64' ? 1e-8 : 2e-4;
    const comparisons = [comparisonOf(of), rotations(), { ...comparisonOf(of), instants: 1 }];
    const { runs } = of;
    const sim = await open(device, of, {
      worlds: runs,
      parameters: ['knobs.value'],
      comparisons: { list: comparisons },
    });
    for (let run = 0; run < runs; run++) sim.set('knobs.value', knobsOf(of, run), run);
    sim.forward();
    const sums = await sim.readComparisons();
    const factors = Array.from({ length: runs }, (_, run) => 0.5 + run);
    sim.backward({}, factors);
    const gradient = await sim.gradient('knobs.value');
    for (let run = 0; run < runs; run++) {
      const expected = new Float64Array(of.knobs);
      for (const [c, comparison] of comparisons.entries()) {
        const residuals = await residualsOf(sim, comparison, run);
        const squares = residuals.reduce((all, frame) => all + frame.reduce((sum, r) => sum + r * r, 0), 0);
        const found = sums[c].squares.filter((_, at) => at % runs === run).reduce((all, one) => all + one, 0);
        expectNear([found], [squares], tolerance);
        const columns = await differences(of, comparison, run);
        columns.forEach((column, k) => {
          for (const [f, frame] of residuals.entries())
            expected[k] += 2 * factors[run] * frame.reduce((sum, r, at) => sum + r * column[f][at], 0);
        });
      }
      expectNear(gradient.subarray(run * of.knobs, (run + 1) * of.knobs), expected, tolerance);
    }
    sim.dispose();
  });
}

describe('comparisons in doubles', () => {
  checks(async () => f64Device());
});
describe('comparisons on the cpu', () => {
  checks(async () => cpuDevice());
});
describeWithAdapter('comparisons on webgpu', () => {
  checks(() => webgpuDevice({ allowSoftware: true }));
});
