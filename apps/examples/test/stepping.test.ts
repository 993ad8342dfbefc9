// Scenes with rest shapes, carried rounding, pushes in time windows, contact and searches: a second of them frame by
// frame, and through saved states, ends where one run of a second does, bit for bit.
import { addCloth, cloth } from '@gradsim/cloth';
import { ContactSphere, contact, contactOf, HalfSpace, surfaceContact } from '@gradsim/contact';
import type { Device, Model, SimulationOptions } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  decodeState,
  encodeState,
  f64Device,
  webgpuDevice,
} from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { box, placeMesh, plane, tetBox, vertexCount } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { describeWithAdapter } from '../../../packages/kernel/test/webgpu-adapter.ts';
import { drawn } from '../../../scripts/vitest/draws.ts';

/** Scene of a clamped beam, with the materials of fem's README. */
function beam(): Model {
  const scene = createScene([particles(), fem()]);
  const mesh = tetBox({ size: [0.6, 0.2, 0.2], cells: [6, 2, 2] });
  const wall = Array.from({ length: vertexCount(mesh) }, (_, k) => k).filter((k) => mesh.positions[3 * k] === -0.3);
  addSoftBody(scene, mesh, { mu: 1e4, lambda: 2e4, damping: 2, density: 1000, fixed: wall });
  return buildModel(scene);
}

/** Scene of two sheets, one falling onto the other, over a sphere and the ground. */
function sheets(): Model {
  const scene = createScene([
    particles(),
    cloth({ wind: [0.3, 0, 0] }),
    contact(),
    surfaceContact({ maxSpeed: 4.5, refresh: 9 }),
  ]);
  for (const k of [0, 1]) {
    const sheet = plane({ size: [0.12, 0.12], segments: [6, 6] });
    const mesh = placeMesh(sheet, { translation: [0.01 * k, 0.06 + 0.02 * k, 0.004 * k] });
    const fabric = { mu: 60, lambda: 60, density: 0.2, bendStiffness: 1e-4, drag: 0.2 };
    for (const particle of addCloth(scene, mesh, fabric).particles)
      scene.attach(particle, contactOf(Particle), { ke: 8, kd: 1e-3, kf: 0.01, mu: 0.3, thickness: 0.006 });
  }
  scene.add(ContactSphere, { radius: 0.03, position: [0, 0.02, 0], ke: 10, kd: 5e-3, kf: 0.01, mu: 0.3 });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -9.81, 0] });
  return buildModel(scene);
}

/** Scene of falling boxes, two of which are pushed for a while. */
function boxes(): Model {
  const scene = createScene([rigid(), contact()]);
  for (const k of [0, 1, 2]) {
    const body = scene.add(Body, {
      mesh: box({ size: [0.2, 0.2, 0.2] }),
      density: 500,
      position: [0.5 * k, 0.3, 0],
      velocity: [0, 0.2, 0.5],
      angularVelocity: [1 + k, 0.4, 0],
    });
    scene.attach(body, contactOf(Body), { ke: 5e3, kd: 10, kf: 40, mu: 0.4 });
    if (k > 0) scene.add(BodyPush, { body, force: [5, 0, 9 * k], point: [0, 0.05, 0], start: 0.31, end: 0.62 });
  }
  scene.add(HalfSpace, {});
  return buildModel(scene);
}

interface Case {
  readonly make: () => Model;
  readonly rates: Pick<SimulationOptions, 'frameRate' | 'substeps'>;
  readonly states: readonly string[];
}
const SCENES: Record<string, Case> = {
  'a beam': {
    make: beam,
    rates: { frameRate: 30, substeps: 64 },
    states: ['particles.position', 'particles.velocity'],
  },
  'cloth on cloth, on a sphere and the ground': {
    make: sheets,
    rates: { frameRate: 30, substeps: 200 },
    states: ['particles.position', 'particles.velocity'],
  },
  'boxes with pushes': {
    make: boxes,
    rates: { frameRate: 30, substeps: 32 },
    states: ['bodies.position', 'bodies.orientation', 'bodies.velocity', 'bodies.angularVelocity'],
  },
};

async function compare({ make, rates, states }: Case, device: Device, frames: number): Promise<void> {
  const [whole, stepped, continued] = await Promise.all([
    createSimulation(make(), { device, ...rates, frames: frames + 1 }),
    createSimulation(make(), { device, ...rates }),
    createSimulation(make(), { device, ...rates }),
  ]);
  const now = (one: typeof whole) => Promise.all(states.map((key) => one.read(key)));
  whole.forward();
  for (let frame = 0; frame < frames; frame++) stepped.step();
  const expected = await now(whole);
  expect(expected.some((values) => values.some((value) => value !== 0))).toBe(true);
  expect(await now(stepped)).toEqual(expected);
  // Saved after 2/5 of it, amid a push and an interval of searches.
  stepped.restart();
  const half = Math.floor(0.4 * frames);
  for (let frame = 0; frame < half; frame++) stepped.step();
  continued.continueFrom(decodeState(encodeState(await stepped.state())));
  for (let frame = half; frame < frames; frame++) continued.step();
  expect(await now(continued)).toEqual(expected);
}

describe.each(drawn(Object.entries(SCENES), 1))('%s, stepped frame by frame, also from a saved state', (_, scene) => {
  it('equals a single run of 1 s bit for bit, on cpu', () => compare(scene, cpuDevice(), 30));
  it('equals a single run of 1 s bit for bit, on two threads', () => compare(scene, cpuDevice({ threads: 2 }), 30));
  it('equals a single run of 5 frames bit for bit, in doubles', () => compare(scene, f64Device(), 5));
});

describeWithAdapter('a run of 3 frames, stepped frame by frame on webgpu, equals a single run bit for bit:', () => {
  it.each(Object.entries(SCENES))('%s', async (_, scene) => {
    // Steps as long as on the processor, a quarter as many.
    const { frameRate, substeps } = scene.rates;
    const rates = { frameRate: 4 * frameRate!, substeps: substeps! / 4 };
    await compare({ ...scene, rates }, await webgpuDevice({ allowSoftware: true }), 3);
  });
});
