import type { Scene, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { Body, BodyPush, Gravity, rigid } from '@gradsim/rigid';
import { describe, type ExpectedError, expect, it } from 'vitest';

type Vec3 = readonly [number, number, number];
const NO_GRAVITY = [0, 0, 0] as const;

/** Runs `seconds` seconds in `substeps` equal substeps, and returns the final state. */
async function run(
  scene: Scene,
  seconds: number,
  substeps: number,
  gravity: Vec3 = [0, -9.81, 0],
): Promise<Simulation> {
  scene.add(Gravity, { acceleration: gravity });
  const sim = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  sim.forward();
  return sim;
}
const oneBody = (values: Parameters<Scene['add']>[1]): Scene => {
  const scene = createScene([rigid()]);
  scene.add(Body, values as never, 'the body');
  return scene;
};
const close = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void => {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++) {
    expect(
      Math.abs(actual[k] - expected[k]),
      `component ${k}: ${actual[k]}, expected ${expected[k]}`,
    ).toBeLessThanOrEqual(tolerance);
  }
};
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** Returns the vector v rotated by the quaternion (x, y, z, w). */
const turned = ([x, y, z, w]: ArrayLike<number> & Iterable<number>, v: ArrayLike<number>): number[] => {
  const t = cross([x, y, z], v).map((c) => 2 * c);
  const u = cross([x, y, z], t);
  return [0, 1, 2].map((k) => v[k] + w * t[k] + u[k]);
};
const turnedBack = ([x, y, z, w]: ArrayLike<number> & Iterable<number>, v: ArrayLike<number>): number[] =>
  turned([-x, -y, -z, w], v);
const diagonal = (a: number, b: number, c: number): number[] => [a, 0, 0, 0, b, 0, 0, 0, c];

describe('free fall', () => {
  it('equals the sum of its semi-implicit Euler steps to 1e-12', async () => {
    // Semi-implicit Euler: v_n = v_0 + n dt g, x_n = x_0 + n dt v_0 + dt^2 g n (n + 1) / 2.
    const [n, T] = [240, 2];
    const dt = T / n;
    const [x0, v0, g] = [[1, 5, -2], [3, 4, 0.5], [0.2, -9.81, 0.1] as const];
    const sim = await run(
      oneBody({ mesh: box(), density: 700, position: x0, velocity: v0, angularVelocity: [1, 2, 3] }),
      T,
      n,
      g,
    );
    close(
      await sim.read('bodies.velocity'),
      v0.map((v, k) => v + n * dt * g[k]),
      1e-12,
    );
    close(
      await sim.read('bodies.position'),
      x0.map((x, k) => x + n * dt * v0[k] + (dt * dt * g[k] * n * (n + 1)) / 2),
      1e-12,
    );
  });
  it('does not depend on mass or shape', async () => {
    const heavy = await run(oneBody({ mesh: icosphere(), density: 5000, position: [0, 1, 0] }), 1, 100);
    const light = await run(oneBody({ mass: 0.01, inertia: diagonal(1, 2, 3), position: [0, 1, 0] }), 1, 100);
    close(await heavy.read('bodies.position'), await light.read('bodies.position'), 1e-14);
  });
});

describe('rotation without torque', () => {
  const inertia = [1, 2, 3] as const;
  const start = { mass: 1, inertia: diagonal(...inertia) };
  /** Returns the angular momentum L = R I R^T w, in world axes. */
  const momentumOf = async (sim: Simulation): Promise<number[]> => {
    const [q, w] = [await sim.read('bodies.orientation'), await sim.read('bodies.angularVelocity')];
    return turned(
      q,
      turnedBack(q, w).map((c, k) => c * inertia[k]),
    );
  };

  // Without the gyroscopic term w x I w (a defect of the research code) the error in momentum is as large as the
  // momentum.
  it('conserves angular momentum up to an error in proportion to the substep', async () => {
    const w0 = [1, 2, -1.5];
    const errors: number[] = [];
    for (const substeps of [1000, 2000, 4000]) {
      const sim = await run(oneBody({ ...start, angularVelocity: w0 }), 2, substeps, NO_GRAVITY);
      const L = await momentumOf(sim);
      errors.push(Math.hypot(...L.map((l, k) => l - inertia[k] * w0[k])));
    }
    expect(errors[2]).toBeLessThan(0.02 * Math.hypot(1, 4, 4.5));
    // First order: half the step, half the error.
    expect(errors[0] / errors[1]).toBeCloseTo(2, 0);
    expect(errors[1] / errors[2]).toBeCloseTo(2, 0);
  });

  it('of a symmetric top precesses in body axes at the rate (I3 - I1) / I1 w3, w3 its spin about the axis of I3', async () => {
    // Euler's equations with I1 = I2: w3 constant, (w1, w2) turning at that rate, from w2 towards w1 reversed:
    // w1' = -(I3 - I1)/I1 w3 w2, w2' = (I3 - I1)/I1 w3 w1.
    const [I1, I3, w3, w1, T] = [2, 3, 4, 0.5, 1.5];
    const errors: number[] = [];
    for (const substeps of [3000, 6000]) {
      const sim = await run(
        oneBody({ mass: 1, inertia: diagonal(I1, I1, I3), angularVelocity: [w1, 0, w3] }),
        T,
        substeps,
        NO_GRAVITY,
      );
      const wb = turnedBack(await sim.read('bodies.orientation'), await sim.read('bodies.angularVelocity'));
      const angle = ((I3 - I1) / I1) * w3 * T;
      errors.push(Math.hypot(wb[0] - w1 * Math.cos(angle), wb[1] - w1 * Math.sin(angle), wb[2] - w3));
    }
    expect(errors[1]).toBeLessThan(2e-3);
    expect(errors[0] / errors[1]).toBeCloseTo(2, 0);
  });

  it('about the axis of intermediate inertia flips, about the others it does not', async () => {
    // Near the intermediate axis the disturbance grows as exp(w sqrt((I2 - I1)(I3 - I2) / (I1 I3)) t) = exp(2.9 t)
    // here.
    const extremes: number[] = [];
    for (const axis of [0, 1, 2]) {
      const w0 = [0, 1, 2].map((k) => (k === axis ? 5 : 0.01));
      const scene = oneBody({ ...start, angularVelocity: w0 });
      scene.add(Gravity, { acceleration: NO_GRAVITY });
      const sim = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 2,
        frameRate: 10,
        substeps: 400,
      });
      let lowest = 5;
      let [q, w]: [ArrayLike<number>, ArrayLike<number>] = [[0, 0, 0, 1], w0];
      for (let k = 0; k < 40; k++) {
        sim.set('bodies.orientation', q);
        sim.set('bodies.angularVelocity', w);
        sim.forward();
        [q, w] = [await sim.read('bodies.orientation'), await sim.read('bodies.angularVelocity')];
        lowest = Math.min(lowest, turnedBack(q as Float64Array, w)[axis]);
      }
      extremes.push(lowest);
    }
    expect(extremes[0]).toBeGreaterThan(4.9);
    expect(extremes[1]).toBeLessThan(-4.5);
    expect(extremes[2]).toBeGreaterThan(4.9);
  });

  it('about a principal axis is constant, and the orientation stays of unit length', async () => {
    const sim = await run(oneBody({ ...start, angularVelocity: [0, 0, 2] }), 3, 3000, NO_GRAVITY);
    close(await sim.read('bodies.angularVelocity'), [0, 0, 2], 1e-12);
    // The chord dt/2 w instead of the arc: the angle falls short by (w dt)^3 / 12 per step.
    const q = await sim.read('bodies.orientation');
    expect(Math.hypot(...q)).toBeCloseTo(1, 12);
    close(q, [0, 0, Math.sin(3), Math.cos(3)], 1e-5);
  });
});

describe('mass properties', () => {
  // A push for one step gives w = dt I^-1 (r x F), whatever the motion does with I.
  async function inertiaAbout(axis: 0 | 1 | 2, values: object): Promise<number> {
    const scene = createScene([rigid()]);
    const body = scene.add(Body, values);
    const point = [0, 0, 0];
    const force = [0, 0, 0];
    point[(axis + 1) % 3] = 1;
    force[(axis + 2) % 3] = 1;
    scene.add(BodyPush, { body, force, point });
    const sim = await run(scene, 1e-3, 1, NO_GRAVITY);
    return 1e-3 / (await sim.read('bodies.angularVelocity'))[axis];
  }
  const [a, b, c] = [0.4, 0.2, 0.6];
  const mesh = box({ size: [a, b, c] });
  const squares = [b * b + c * c, c * c + a * a, a * a + b * b];

  it('a solid box has the moment of inertia m (b^2 + c^2) / 12, b and c its edges across the axis', async () => {
    for (const axis of [0, 1, 2] as const) {
      expect(await inertiaAbout(axis, { mesh, mass: 3 })).toBeCloseTo((3 * squares[axis]) / 12, 12);
      expect(await inertiaAbout(axis, { mesh, density: 1000 })).toBeCloseTo((1000 * a * b * c * squares[axis]) / 12, 9);
    }
  });
  it('point masses at the corners of a box have the moment of inertia m (b^2 + c^2) / 4, b and c its edges across the axis', async () => {
    for (const axis of [0, 1, 2] as const) {
      expect(await inertiaAbout(axis, { mesh, mass: 3, filling: 'points' })).toBeCloseTo((3 * squares[axis]) / 4, 12);
    }
  });
  it('an inertia that is given replaces that of the mesh', async () => {
    for (const axis of [0, 1, 2] as const) {
      expect(await inertiaAbout(axis, { mesh, mass: 3, inertia: diagonal(4, 5, 6) })).toBeCloseTo(4 + axis, 12);
    }
  });
  it("the centre of mass of a mesh far from its origin is at the body's position", async () => {
    const moved = { ...mesh, positions: mesh.positions.map((x, k) => x + [10, -4, 7][k % 3]) };
    const scene = oneBody({ mesh: moved, mass: 1, position: [1, 2, 3] });
    const sim = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 1,
      frameRate: 1,
      substeps: 1,
      record: ['bodyVertices.position'],
    });
    sim.forward();
    const vertices = await sim.readFrames('bodyVertices.position');
    const mean = [0, 1, 2].map((k) =>
      vertices.filter((_, i) => i % 3 === k).reduce((s, x) => s + x / (vertices.length / 3), 0),
    );
    close(mean, [1, 2, 3], 1e-12);
  });
});

describe('air drag', () => {
  it('ends at the terminal velocity sqrt(g / c), c the drag coefficient', async () => {
    // A fixed point of the step itself: -g + c v^2 = 0.
    const sim = await run(oneBody({ mesh: box(), density: 10, drag: 0.4 }), 20, 2000);
    close(await sim.read('bodies.velocity'), [0, -Math.sqrt(9.81 / 0.4), 0], 1e-12);
  });
  it('slows a body as v0 / (1 + c v0 t), c the drag coefficient, without sideways force', async () => {
    const v0 = [3, 0, 4];
    const sim = await run(oneBody({ mesh: box(), density: 10, drag: 0.2, velocity: v0 }), 1, 2000, NO_GRAVITY);
    // v' = -c v^2; the explicit step leaves an error of the order of c v0 dt.
    close(
      await sim.read('bodies.velocity'),
      v0.map((v) => v / (1 + 0.2 * 5)),
      5 * 0.2 * 5 * (1 / 2000),
    );
  });
});

describe('pushes', () => {
  const pushed = (push: object, body: object = {}): Scene => {
    const scene = createScene([rigid()]);
    const entity = scene.add(Body, { mass: 2, inertia: diagonal(1, 1, 1), ...body });
    scene.add(BodyPush, { body: entity, force: [0, 0, 0], ...push } as never);
    return scene;
  };

  it('change the velocity by force times duration over mass, exactly, wherever they start and end', async () => {
    for (const [start, end] of [
      [0, 0.5],
      [0.103, 0.517],
      [0.2031, 0.2039],
      [-1, 0.25],
      [0.9, 7],
    ]) {
      const inside = Math.min(end, 1) - Math.max(start, 0);
      const sim = await run(pushed({ force: [3, -4, 5], start, end }), 1, 100, NO_GRAVITY);
      close(
        await sim.read('bodies.velocity'),
        [3, -4, 5].map((f) => (f * inside) / 2),
        1e-13,
      );
    }
  });

  it('change the velocity with derivatives T / m by force F, -F / m by start, F / m by end, -F T / m^2 by mass, T duration', async () => {
    const parameters = ['bodyPushes.force', 'bodyPushes.start', 'bodyPushes.end', 'bodies.mass'];
    const force = [3, -4, 5];
    for (const [start, end] of [
      [0.103, 0.517],
      [0.1, 0.5],
    ]) {
      const scene = pushed({ force, start, end });
      scene.add(Gravity, { acceleration: NO_GRAVITY });
      const sim = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 2,
        frameRate: 1,
        substeps: 100,
        parameters,
        outputs: ['bodies.velocity'],
      });
      const T = end - start;
      for (const axis of [0, 1, 2]) {
        sim.forward();
        sim.backward({ 'bodies.velocity': [0, 1, 2].map((k) => (k === axis ? 1 : 0)) });
        const [byForce, byStart, byEnd, byMass] = await Promise.all(parameters.map((p) => sim.gradient(p)));
        close(
          byForce,
          [0, 1, 2].map((k) => (k === axis ? T / 2 : 0)),
          1e-12,
        );
        close(byStart, [-force[axis] / 2], 1e-9);
        close(byEnd, [force[axis] / 2], 1e-9);
        close(byMass, [(-force[axis] * T) / 4], 1e-12);
      }
    }
  });

  it('at a point r in body axes, with a force F in world axes, give the torque (R r) x F', async () => {
    // One step from rest: w = dt I^-1 (R r x F), here with the body turned by 90 degrees about y.
    const h = Math.SQRT1_2;
    const sim = await run(
      pushed({ force: [1, 2, 3], point: [0.5, 0.25, 0] }, { orientation: [0, h, 0, h] }),
      0.01,
      1,
      NO_GRAVITY,
    );
    close(
      await sim.read('bodies.angularVelocity'),
      cross([0, 0.25, -0.5], [1, 2, 3]).map((t) => 0.01 * t),
      1e-14,
    );
    close(await sim.read('bodies.velocity'), [0.005, 0.01, 0.015], 1e-14);
  });

  it('at a point that moves with the body: a pendulum, whose energy is conserved to the order of the step', async () => {
    // I w^2 / 2 + F y is constant for the force (0, -F, 0) at (1, 0, 0): at the lowest point w = sqrt(2 F / I).
    const energies: number[] = [];
    for (const substeps of [500, 1000]) {
      const sim = await run(pushed({ force: [0, -3, 0], point: [1, 0, 0] }), 1.7, substeps, NO_GRAVITY);
      const [q, w] = [await sim.read('bodies.orientation'), await sim.read('bodies.angularVelocity')];
      expect(Math.abs(w[2])).toBeGreaterThan(0.5);
      energies.push((w[2] * w[2]) / 2 + 3 * turned(q, [1, 0, 0])[1]);
    }
    expect(Math.abs(energies[1])).toBeLessThan(0.02);
    expect(Math.abs(energies[1])).toBeLessThan(0.7 * Math.abs(energies[0]));
  });

  it('on one body add up', async () => {
    const scene = createScene([rigid()]);
    const body = scene.add(Body, { mass: 2, inertia: diagonal(1, 1, 1) });
    for (const k of [1, 2, 3]) scene.add(BodyPush, { body, force: [k, 0, 0], start: 0.1 * k, end: 0.5 });
    const sim = await run(scene, 1, 100, NO_GRAVITY);
    close(await sim.read('bodies.velocity'), [(1 * 0.4 + 2 * 0.3 + 3 * 0.2) / 2, 0, 0], 1e-13);
  });
});

describe('bodies', () => {
  it('that are fixed never move, whatever forces act on them', async () => {
    const scene = createScene([rigid()]);
    const values = {
      mesh: box(),
      density: 100,
      position: [1, 2, 3],
      orientation: [0, 0, 0.6, 0.8],
      velocity: [1, 1, 1],
      angularVelocity: [1, 2, 3],
    };
    const body = scene.add(Body, { ...values, fixed: 1 });
    scene.add(BodyPush, { body, force: [100, 0, 0], point: [0, 1, 0] });
    const sim = await run(scene, 1, 50);
    close(await sim.read('bodies.position'), values.position, 0);
    close(await sim.read('bodies.orientation'), values.orientation, 1e-15);
  });
  it('side by side do not interact', async () => {
    const values = [
      { mesh: box(), density: 100, position: [0, 1, 0], angularVelocity: [1, 2, 3], drag: 0.1 },
      { mesh: icosphere(), density: 300, position: [0, 1, 0], velocity: [1, 0, 0] },
      { mass: 2, inertia: diagonal(1, 2, 3), angularVelocity: [3, -1, 1] },
    ];
    const together = createScene([rigid()]);
    for (const v of values) together.add(Body, v);
    const all = await (await run(together, 1, 60)).read('bodies.orientation');
    for (const [k, v] of values.entries()) {
      const alone = await (await run(oneBody(v), 1, 60)).read('bodies.orientation');
      expect(all.slice(4 * k, 4 * k + 4)).toEqual(alone);
    }
  });
  it('start with the given orientation, normalised to unit length', async () => {
    const sim = await run(oneBody({ mesh: box(), density: 1, orientation: [0, 0, 3, 4] }), 0.1, 1, NO_GRAVITY);
    close(await sim.read('bodies.orientation'), [0, 0, 0.6, 0.8], 1e-15);
  });
});

describe('invalid bodies are refused, by name, field and value', () => {
  const mesh = box();
  const open = { ...mesh, triangles: mesh.triangles.slice(3) };
  const far = { ...mesh, triangles: mesh.triangles.map((t, k) => (k === 4 ? 99 : t)) };
  const nan = { ...mesh, positions: mesh.positions.map((x, k) => (k === 5 ? Number.NaN : x)) };
  const build = (values: object) => () => buildModel(oneBody(values as never));
  const cases: [string, object, ExpectedError][] = [
    [
      'neither mass nor density',
      { mesh },
      { code: 'rigid/no-mass', field: 'bodies.mass', element: 'the body', values: [0, 'bodies.density'] },
    ],
    [
      'both',
      { mesh, mass: 1, density: 2 },
      { code: 'rigid/mass-and-density', field: 'bodies.mass', element: 'the body', values: [1, 2, 'bodies.density'] },
    ],
    [
      'a filling that there is not',
      { mesh, mass: 1, filling: 'point' },
      { code: 'base/unknown-choice', values: ['"point"', 'bodies.filling'] },
    ],
    [
      'negative mass',
      { mesh, mass: -1 },
      { code: 'core/value-out-of-range', field: 'bodies.mass', element: 'the body', values: [-1] },
    ],
    [
      'NaN',
      { mesh, mass: 1, velocity: [0, Number.NaN, 0] },
      { code: 'core/value-out-of-range', field: 'bodies.velocity', element: 'the body', values: ['NaN'] },
    ],
    [
      'density without a mesh',
      { density: 3 },
      { code: 'rigid/no-volume', field: 'bodies.density', element: 'the body', values: [3] },
    ],
    [
      'no way to an inertia',
      { mass: 3 },
      { code: 'rigid/no-inertia', element: 'the body', values: ['bodies.inertia'] },
    ],
    [
      'point masses by density',
      { mesh, density: 3, filling: 'points' },
      { code: 'rigid/no-volume', element: 'the body', values: ['bodies.mass'] },
    ],
    [
      'an inertia that is none',
      { mass: 1, inertia: diagonal(1, -1, 1) },
      { code: 'rigid/inertia-not-physical', field: 'bodies.inertia', element: 'the body', values: [0, -1] },
    ],
    [
      'an open mesh',
      { mesh: open, mass: 1 },
      { code: 'rigid/mesh-unusable', element: 'the body', values: ['bodies.mesh'] },
    ],
    [
      'a mesh with an index out of range',
      { mesh: far, mass: 1 },
      { code: 'rigid/mesh-unusable', element: 'the body', values: ['bodies.mesh', 99] },
    ],
    [
      'a mesh with NaN',
      { mesh: nan, mass: 1 },
      { code: 'rigid/mesh-unusable', element: 'the body', values: ['bodies.mesh', 'NaN'] },
    ],
    [
      'no rotation',
      { mesh, mass: 1, orientation: [0, 0, 0, 0] },
      { code: 'core/value-out-of-range', field: 'bodies.orientation', element: 'the body', values: [0] },
    ],
    [
      'half fixed',
      { mesh, mass: 1, fixed: 0.5 },
      { code: 'core/value-out-of-range', field: 'bodies.fixed', element: 'the body', values: [0.5] },
    ],
  ];
  for (const [what, values, message] of cases) it(what, () => expect(build(values)).toThrowCode(message));
  it('a push that ends before it starts, or acts on something other than a body', () => {
    const scene = oneBody({ mesh, mass: 1 });
    const [body] = scene.entities(Body);
    const push = scene.add(BodyPush, { body, force: [1, 0, 0], start: 2, end: 1 }, 'the push');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'dynamics/end-before-start',
      field: 'bodyPushes.end',
      element: 'the push',
      values: [1, 2, 'bodyPushes.start', 'the push: bodyPushes'],
    });
    expect(() => scene.add(BodyPush, { body: push, force: [1, 0, 0] }, 'another')).toThrowCode({
      code: 'core/wrong-reference',
      field: 'bodyPushes.body',
      element: 'another',
      values: ['another', 'bodies', 'the push'],
    });
  });
});
