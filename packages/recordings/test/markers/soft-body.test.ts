import { rotate, rotationAbout, type Vector } from '@gradsim/base';
import { cpuDevice, createSimulation } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { placeMesh, tetBox } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import type { Load, MarkerRecording } from '@gradsim/recordings/markers';
import { foretellMarkers, Marker, MarkerFrame, softBodyMarkers, startedMarkers } from '@gradsim/recordings/markers';
import { describe, expect, it } from 'vitest';
import { leadParticle, markerPosition, weighHeldParticle } from '../../src/markers/plugin.ts';
import { registerMarkers } from '../../src/markers/registration/registration.ts';

const mesh = placeMesh(tetBox({ cells: [2, 1, 1], size: [0.1, 0.03, 0.03] }), { translation: [-0.05, 0, 0] });
const places: Readonly<Record<string, Vector>> = { a: [0, 0, 0.02], b: [0, -0.02, 0], c: [-0.01, 0.02, 0.01] };
const material = { youngsModulus: 3e4, dashpot: 4e-3, armRatio: 0, relaxationTime: 0.03, poissonRatio: 0.4 };
const isClamped = ([x]: Vector): boolean => x < -0.0999;
const orientation = rotationAbout([0.4, -1.1, 0.7]);
const translation: Vector = [0.3, -0.2, 0.5];
const gravity = rotate(orientation, [0, 0, -9.81]);
const options = { mesh, density: 1000, isClamped, places, gravity, substepRate: 4000 };
/** Frames before those of the simulation. */
const STILL = 20;
const RATE = 100;
const device = cpuDevice({ threads: 1 });

/** Simulates what a recording sees of a beam of known material that is let go in frame 41.4. */
async function recorded(load?: Load): Promise<MarkerRecording> {
  const starts = Object.values(places).map((place) => rotate(orientation, place).map((x, c) => x + translation[c]));
  const recording = (moving: ArrayLike<number>): MarkerRecording => ({
    name: 'beam',
    markers: Object.keys(places),
    frameRate: RATE,
    frames: STILL + moving.length / 9,
    positions: Float64Array.from([...Array.from({ length: STILL }, () => starts.flat()).flat(), ...Array.from(moving)]),
  });
  // Anything that moves after 24 more frames: the model is made for a recording.
  const stub = Array.from({ length: 60 }, (_, f) => starts.flat().map((x) => x + (f < 24 ? 0 : 0.01)));
  const { problem, firstFrames } = softBodyMarkers([{ recording: recording(stub.flat()), load, frames: 36 }], {
    ...options,
    material,
    unknown: [],
  });
  expect(firstFrames).toEqual([STILL]);
  const { model, frames, frameRate, substeps, values = {} } = problem;
  const record = [Marker.position];
  const settings = { device, frames, frameRate, substeps, parameters: [Particle.mass, MarkerFrame.release], record };
  const simulation = await createSimulation(model, settings);
  for (const [field, of] of Object.entries(values)) simulation.set(field, of);
  simulation.set(MarkerFrame.release, [21.4 / RATE]);
  simulation.forward();
  const moving = await simulation.readFrames(Marker.position);
  simulation.dispose();
  // While the hand takes hold, the body is not yet where it is held.
  return recording(moving.map((x, k) => (k < 21 * 9 ? starts.flat()[k % 9] : x)));
}

describe('markers on a soft body that is let go', () => {
  it('estimate its modulus, damping and instant of release, and foretell the rest of the recording', async () => {
    const recording = await recorded();
    const start = { ...material, youngsModulus: 2.7e4, dashpot: 5e-3 };
    const made = softBodyMarkers([{ recording, frames: 24 }], { ...options, material: start });
    const unknown = ['youngsModulus', 'dashpot', 'release of beam'];
    const problem = {
      ...made.problem,
      parameters: made.problem.parameters!.filter(({ name }) => unknown.includes(name)),
    };
    const found = await estimate({ ...problem, options: { uncertainty: { intervals: 'curvature' } } }, { device });
    const [modulus, dashpot, release] = unknown.map((name) => found.parameters[name].estimate);
    expect(Math.abs(modulus / material.youngsModulus - 1)).toBeLessThan(0.005);
    expect(Math.abs(dashpot / material.dashpot - 1)).toBeLessThan(0.02);
    expect(Math.abs(made.firstFrames[0] + release * RATE - STILL - 21.4)).toBeLessThan(0.02);
    const { error, rest } = await foretellMarkers({ recording, frames: 34 }, { ...options, material }, { device });
    expect(error).toBeLessThan(5e-5);
    expect(rest.predicted / rest.measured).toBeCloseTo(1, 2);
  });

  it('find where the centre of mass of a load is that stands off the surface, to a tenth of a millimetre', async () => {
    const load: Load = { mass: 0.01, position: [0, 0, 0.015], radius: 0.015, offset: [0, 0, 0.01] };
    const recording = await recorded(load);
    const told: Load = { ...load, offset: [0, 0, 0.004] };
    const settings = { ...options, material, unknown: ['youngsModulus'] as const };
    const made = softBodyMarkers([{ recording, load: told, frames: 34 }], settings);
    const parameters = made.problem.parameters!.filter(({ name }) => /modulus|release|offset/i.test(name));
    expect(parameters).toHaveLength(5);
    const roughly = { uncertainty: { standardErrors: false } } as const;
    const found = await estimate({ ...made.problem, parameters, options: roughly }, { device });
    const values = Object.fromEntries(Object.entries(found.parameters).map(([name, of]) => [name, of.estimate]));
    const offset = made.loadOffsetOf(values)!;
    expect(Math.abs(offset[2] - 0.01), String(offset)).toBeLessThan(1e-4);
    expect(Math.abs(values.youngsModulus / material.youngsModulus - 1)).toBeLessThan(0.005);
    const other: Load = { ...told, offset: [0, 0, 0.005] };
    const both = [told, other].map((one) => ({ recording, load: one, frames: 24 }));
    expect(() => softBodyMarkers(both, { ...options, material })).toThrowCode('markers/load-offsets-differ');
    const loose = [{ recording, load: { ...load, radius: undefined }, frames: 24 }];
    expect(() => softBodyMarkers(loose, { ...options, material })).toThrowCode('markers/load-offset-without-tie');
  });

  it('are searched after a line that says how long an iteration takes, and what shortens it', async () => {
    const held = [{ recording: await recorded(), frames: 24 }];
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const { problem } = await startedMarkers(held, { ...options, material }, { device, log });
    const sizes = `^${mesh.tets.length / 4} elements and ${(problem.frames - 1) * problem.substeps} substeps: at most \\d+ s an iteration`;
    expect(lines).toEqual([expect.stringMatching(new RegExp(sizes))]);
  });

  it('may stand off the body by unknown ways, which a registration takes from an estimate', async () => {
    const recording = await recorded();
    const tolerance = { standOff: 1e-3 };
    const made = softBodyMarkers([{ recording, frames: 24 }], { ...options, material, tolerance });
    const own = made.problem.parameters!.filter(({ name }) => name.startsWith('place of marker'));
    expect(own.map(({ name }) => name)).toEqual(
      ['a', 'b', 'c'].flatMap((m) => ['x', 'y', 'z'].map((c) => `place of marker ${m} ${c}`)),
    );
    expect(own[4]).toMatchObject({ field: Marker.place, elements: [1], component: 1 });
    const [registration] = made.registrationsOf({ 'place of marker b y': -0.021 });
    expect(registration.places.b[1]).toBe(-0.021);
    expect(registration.places.b[0]).toBeCloseTo(0, 4);
  });

  it('may carry a load on a thread, which is a particle of its own below the body', async () => {
    const recording = await recorded();
    const load = { mass: 0.05, position: [0, 0, -0.015] as Vector, thread: 0.1 };
    const { problem } = softBodyMarkers([{ recording, load, frames: 24 }], { ...options, material });
    const masses = Array.from(problem.values!['particles.mass']);
    expect([masses.at(-1), masses.slice(0, -1).every((m) => m === 0)]).toEqual([0.05, true]);
    const positions = Array.from(problem.model.field('particles.position').values!);
    // Gravity is -z of the body.
    const expected = [0, 0, -0.115];
    positions.slice(-3).forEach((x, c) => {
      expect(x).toBeCloseTo(expected[c], 6);
    });
  });

  it('take no more substeps than the stiffest mode of the body needs, with a fifth more, if no rate is given', async () => {
    const recording = await recorded();
    const { substepRate: _, ...others } = { ...options, material: { ...material, dashpot: 5e-3 } };
    const { substeps } = softBodyMarkers([{ recording, frames: 24 }], others).problem;
    const largest = async (share: number): Promise<number> => {
      const rate = share * substeps * RATE;
      const held = { recording, frames: 24 };
      const { predicted } = await foretellMarkers(
        held,
        { ...others, handContactSeconds: 0.01, substepRate: rate },
        { device },
      );
      return Math.max(...Array.from(predicted, (x) => (Number.isFinite(x) ? Math.abs(x) : 1e9)));
    };
    expect(await largest(1)).toBeLessThan(1);
    expect(await largest(0.75).catch(() => 1e9)).toBeGreaterThan(1);
  });

  it('are refused where places and measured positions do not belong together', () => {
    const told = Object.values(places);
    const seen = told.map((place): Vector => [place[0], place[1] + 1, place[2]]);
    const register = (from: Vector[], to: Vector[]) => () => registerMarkers('beam', ['a', 'b', 'c'], from, to);
    expect(register(told, seen)().residual).toBeLessThan(1e-12);
    const inMillimetres = seen.map(([x, y, z]): Vector => [1000 * x, 1000 * y, 1000 * z]);
    expect(register(told, inMillimetres)).toThrowCode('markers/unit-differs');
    expect(register(told.slice(0, 2), seen.slice(0, 2))).toThrowCode('markers/too-few-markers');
    expect(register(told, [seen[1], seen[0], seen[2]])).toThrowCode('markers/exchanged-on-body');
  });

  it('have kernels with derivatives that agree with central differences', async () => {
    const sizes = { particles: 10, markerFrames: 1, markers: 2, heldParticles: 2, ledParticles: 2 };
    const rest = [0, 0, 0, 1, 0.1, 0, 0.1, 0.9, 0, 0, 0.1, 1.1, ...Array<number>(18).fill(0.5)];
    const edges = { orientation: [0.5] };
    const nodes = Array.from({ length: 20 }, (_, k) => k % 10);
    await checkKernel(markerPosition, { sizes, values: { nodes, frame: [0, 0], rest }, edges });
    const particle = { particle: [0, 1], frame: [0, 0] };
    await checkKernel(weighHeldParticle, { sizes, values: particle, edges });
    await checkKernel(leadParticle, { sizes, values: particle, edges });
  });
});
