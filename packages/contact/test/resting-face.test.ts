import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import type { Device, Simulation, ValuesOf } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

const SECONDS = 1;
const YAWED = [0, Math.sin(0.3), 0, Math.cos(0.3)];

interface Lying {
  readonly size: readonly [number, number, number];
  readonly mu: number;
  readonly gravity: readonly number[];
  readonly body?: ValuesOf<typeof Body>;
}

/** Scene with a box that lies on its face, and stands obliquely to the axes. */
function lying({ size, mu, gravity, body }: Lying) {
  const scene = createScene([rigid(), impacts()]);
  const mesh = box({ size: [...size] });
  const crate = scene.add(Body, { mesh, mass: 0.7, position: [0, size[1] / 2, 0], orientation: YAWED, ...body });
  scene.attach(crate, impactOf(Body), { restitution: 0.3, mu });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: gravity });
  return scene;
}

async function last(of: Lying, substeps: number, device: Device, outputs: string[]): Promise<Simulation> {
  const simulation = await createSimulation(buildModel(lying(of)), {
    device,
    frames: 2,
    frameRate: 1 / SECONDS,
    substeps,
    parameters: ['bodies.velocity', 'bodies.angularVelocity', 'bodies.mu', 'world.gravity'],
    outputs,
  });
  simulation.forward();
  return simulation;
}

const DEVICES = [
  ['double', f64Device],
  ['single', cpuDevice],
] as const;

describe.each(DEVICES)('a box that rests on its face, in %s precision', (_, deviceOf) => {
  const sizes = [
    [0.4, 0.02, 0.4],
    [0.1, 0.1, 0.1],
    [0.2, 0.1, 0.08],
  ] as const;

  // The friction of 0.8 lifts a corner of the cube.
  it.each([...sizes.map((size) => ({ size, mu: 0.2 })), { size: sizes[1], mu: 0.8 }])(
    'is turned back at any time of a substep, with derivatives of the closed form: $size, mu = $mu',
    async ({ size, mu }) => {
      const [down, substeps, angle] = [9, 1000, 0.4];
      const pull = mu * down + 2.2;
      const uphill = [Math.cos(angle), 0, Math.sin(angle)];
      const gravity = [-pull * uphill[0], -down, -pull * uphill[2]];
      const rub = mu * down;
      const device = deviceOf();
      const run = await last({ size, mu, gravity }, substeps, device, ['bodies.position']);
      for (let phase = 0; phase < 8; phase++) {
        const up = 1 + ((phase / 8) * (pull + rub) * SECONDS) / substeps;
        run.set(
          'bodies.velocity',
          uphill.map((c) => up * c),
        );
        run.forward();
        run.backward({ 'bodies.position': uphill });
        const bySpeed = (await run.gradient('bodies.velocity')).reduce((sum, d, k) => sum + d * uphill[k], 0);
        const [byMu] = await run.gradient('bodies.mu');
        // It stops after `turn`, and slides back: x = up turn / 2 - (pull - rub) back^2 / 2.
        const turn = up / (pull + rub);
        const back = SECONDS - turn;
        const earlier = turn / (pull + rub);
        expect(bySpeed / (turn + ((pull - rub) / (pull + rub)) * back)).toBeCloseTo(1, 2);
        const byRub = (-up * earlier) / 2 + back ** 2 / 2 - (pull - rub) * back * earlier;
        expect(byMu / (down * byRub)).toBeCloseTo(1, 2);
      }
      device.dispose();
    },
  );

  it.each(sizes)('stays where friction holds it, with derivatives 0: %d x %d x %d', async (...size) => {
    const device = deviceOf();
    const run = await last({ size, mu: 0.4, gravity: [2, -9, 1] }, 600, device, ['bodies.position']);
    expect((await run.read('bodies.position'))[0]).toBe(0);
    run.backward({ 'bodies.position': [1, 0, 1] });
    for (const name of ['bodies.velocity', 'bodies.angularVelocity', 'bodies.mu', 'world.gravity'])
      for (const derivative of await run.gradient(name)) expect(Math.abs(derivative)).toBe(0);
    device.dispose();
  });

  it('spins about its normal until friction of its corners stops it', async () => {
    const [size, mu, g, spin] = [[0.2, 0.1, 0.15], 0.3, 9.81, 20] as const;
    const device = deviceOf();
    const body = { angularVelocity: [0, spin, 0] };
    const run = await last({ size, mu, gravity: [0, -g, 0], body }, 4000, device, ['bodies.orientation']);
    const [, y, , w] = await run.read('bodies.orientation');
    // Torque mu m g r / 2, of a diagonal r, and the inertia m r^2 / 12.
    const slower = (6 * mu * g) / Math.hypot(size[0], size[2]);
    const expected = spin ** 2 / 2 / slower;
    const turned = 2 * Math.atan2(y, w) - 0.6 - expected;
    expect(expected).toBeGreaterThan(2);
    expect(Math.abs(turned - 2 * Math.PI * Math.round(turned / 2 / Math.PI)) / expected).toBeLessThan(5e-3);
    // The angle is 2 atan(y / w).
    run.backward({ 'bodies.orientation': [0, 2 * w, 0, -2 * y] });
    expect((await run.gradient('bodies.angularVelocity'))[1] / (spin / slower)).toBeCloseTo(1, 2);
    expect((await run.gradient('bodies.mu'))[0] / (-expected / mu)).toBeCloseTo(1, 2);
    device.dispose();
  });
});

it('a box that slides and spins on its face has adjoints that agree with tangents and central differences', async () => {
  const body = { velocity: [1, 0, 0.3], angularVelocity: [0, 8, 0] };
  const { parameters } = await checkGradients(
    buildModel(lying({ size: [0.2, 0.1, 0.15], mu: 0.3, gravity: [-1, -9, 0.5], body })),
    {
      frames: 3,
      frameRate: 10,
      substeps: 20,
      parameters: [
        ...['bodies.velocity', 'bodies.angularVelocity', 'bodies.mu', 'bodies.position'],
        ...['halfSpaces.offset', 'halfSpaces.normal', 'world.gravity'],
      ],
      outputs: ['bodies.position', 'bodies.orientation', 'bodies.velocity', 'bodies.angularVelocity'],
      seed: 5,
    },
  );
  for (const name of ['bodies.mu', 'bodies.velocity', 'bodies.angularVelocity'])
    expect(Math.abs(parameters[name].adjoint), name).toBeGreaterThan(1e-3);
});
