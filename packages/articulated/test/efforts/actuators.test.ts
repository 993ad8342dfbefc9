import {
  Actuator,
  addLogCholesky,
  addUniversal,
  articulated,
  bodyOfLogCholesky,
  controlSchedule,
  Gravity,
  Link,
  LogCholesky,
  logCholeskyOf,
  schedule,
} from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, definePlugin, f64Device, kernel } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('actuators');
/** Moment of inertia of the rotor about its axis, kg m^2: theta'' = torque / I. */
const I = 0.04;
const rotor = {
  joint: 'revolute',
  axis: [0, 0, 1],
  mass: 1,
  inertia: [0.03, 0, 0, 0, 0.03, 0, 0, 0, I],
} as const;

async function turned(scene: Scene, options = {}): Promise<{ angle: number; rate: number }> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1,
    substeps: 1000,
    ...options,
  });
  simulation.forward();
  return {
    angle: (await simulation.read(Link.coordinate))[0],
    rate: (await simulation.read(Link.rate))[0],
  };
}

describe('actuators', () => {
  it('apply gear times force, where force is gain times control plus bias, with control and force clamped to their limits', async () => {
    // theta' after 1 s of a constant torque is torque / I, exactly in discrete time.
    for (const [values, torque] of [
      [{ control: 0.3 }, 0.3],
      [{ control: 0.3, gear: -2 }, -0.6],
      [{ control: 3, upperControl: 0.5, gain: 0.4 }, 0.2],
      [{ control: -3, lowerForce: -0.1, gear: 3 }, -0.3],
      [{ bias: 0.05 }, 0.05],
    ] as const) {
      const scene = createScene([articulated()]);
      scene.add(Actuator, { link: scene.add(Link, rotor), ...values });
      expect((await turned(scene)).rate).toBeCloseTo(torque / I, 10);
    }
  });

  it('as critically damped servos follow u (1 - (1 + w t) exp(-w t)), u target, w^2 stiffness over inertia, to first order', async () => {
    // I theta'' = kp (u - theta) - kv theta', critically damped: theta = u (1 - (1 + w t) e^(-w t)), w = sqrt(kp / I).
    const [kp, u, t] = [1, 0.7, 1];
    const w = Math.sqrt(kp / I);
    const errors: number[] = [];
    for (const substeps of [1000, 2000]) {
      const scene = createScene([articulated()]);
      const link = scene.add(Link, rotor);
      scene.add(Actuator, { link, gain: kp, stiffness: kp, damping: 2 * Math.sqrt(kp * I), control: u });
      const { angle } = await turned(scene, { substeps });
      errors.push(Math.abs(angle - u * (1 - (1 + w * t) * Math.exp(-w * t))));
    }
    expect(errors[0]).toBeLessThan(2e-3);
    expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
  });

  it('follow a schedule with a value per frame, and a controller that writes their control', async () => {
    const scheduled = createScene([articulated(), controlSchedule({ variesBy: 'frame' })]);
    const link = scheduled.add(Link, rotor);
    scheduled.add(Actuator, { link });
    const frames = 4;
    const simulation = await createSimulation(buildModel(scheduled), {
      device: f64Device(),
      frames,
      frameRate: 10,
      substeps: 10,
      parameters: [schedule],
      outputs: [Link.rate],
    });
    const torques = [0.1, -0.3, 0.5, 0];
    simulation.set(schedule, torques);
    simulation.forward();
    expect((await simulation.read(Link.rate))[0]).toBeCloseTo((0.1 - 0.3 + 0.5) / 10 / I, 10);
    simulation.backward({ [Link.rate.key]: [1] });
    // Each frame's torque acts for a tenth of a second; that of the last frame never does.
    const gradient = Array.from(await simulation.gradient(schedule));
    [1, 1, 1, 0].forEach((acts, k) => {
      expect(gradient[k]).toBeCloseTo(acts / 10 / I, 9);
    });

    const follow = kernel(
      'brake',
      { domain: Actuator, reads: { control: Actuator.control }, writes: { control: Actuator.control } },
      ({ control }) => ({ control: control.mul(0.5) }),
    );
    const brake = definePlugin({
      name: 'brake',
      contract: 1,
      build: ({ model }) => model.addPass('control', follow),
    });
    const led = createScene([articulated(), brake]);
    led.add(Actuator, { link: led.add(Link, rotor), control: 1 });
    // 1/2 + 1/4 + ... of a substep's impulse.
    expect((await turned(led, { substeps: 100 })).rate).toBeCloseTo(0.01 / I, 10);
  });

  /** Two links: a servo on one, and two scheduled motors on the other, of which one is at the limit of its force. */
  const driven = (): Scene => {
    const scene = createScene([articulated(), controlSchedule()]);
    const upper = scene.add(Link, { ...rotor, centre: [0.2, -0.3, 0], rate: 1 });
    const lower = scene.add(Link, { ...rotor, parent: upper, anchor: [0, -0.5, 0], centre: [0.1, 0, 0] });
    scene.add(Actuator, {
      link: upper,
      gear: 2,
      gain: 0.8,
      bias: 0.1,
      stiffness: 0.3,
      damping: 0.05,
      upperForce: 5,
    });
    scene.add(Actuator, { link: lower, gain: 2, upperForce: 0.01, lowerForce: -0.02, bias: 0.5 });
    scene.add(Actuator, { link: lower, gain: 2, bias: -0.5, upperForce: 5 });
    return scene;
  };
  const rollout = { frames: 4, frameRate: 10, substeps: 20, seed: SEED, outputs: [Link.coordinate, Link.rate] };

  it('have derivatives by gear, gain, bias, stiffness, damping, upper force and schedule that agree with central differences', async () => {
    await checkGradients(buildModel(driven()), {
      ...rollout,
      parameters: [
        ...[schedule, Actuator.gear, Actuator.gain, Actuator.bias, Actuator.stiffness, Actuator.damping],
        ...[Actuator.upperForce, Link.mass],
      ],
    });
  });

  it('scheduled, limited in force, or with stiffness and damping give on cpu the motion and derivatives of doubles', async () => {
    await checkDevices(buildModel(driven()), {
      ...rollout,
      devices: [cpuDevice()],
      parameters: [schedule, Actuator.gear, Actuator.gain, Actuator.stiffness, Actuator.upperForce],
    });
  });

  it('on joints without an axis, with limits out of order, or of an unknown schedule are refused', () => {
    const scene = createScene([articulated()]);
    scene.add(Actuator, { link: scene.add(Link, { ...rotor, joint: 'ball', axis: undefined }, 'the hip') }, 'motor');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'articulated/joint-not-driven',
      element: 'motor',
      values: ['the hip', 'ball'],
    });
    const other = createScene([articulated()]);
    other.add(Actuator, { link: other.add(Link, rotor), lowerForce: 2, upperForce: 1 }, 'motor');
    expect(() => buildModel(other)).toThrowCode({
      code: 'articulated/limits-reversed',
      element: 'motor',
      values: [2, 'lowerForce', 1, 'upperForce'],
    });
    expect(() => controlSchedule({ variesBy: 'day' as 'frame' })).toThrowCode('base/unknown-choice');
  });
});

describe('a universal joint', () => {
  it('has the orientation R1(a) R2(b), of rotations about its first axis by a and its second axis by b', async () => {
    // First by a about x, then by b about z: a vector along y becomes (-sin b, cos b cos a, cos b sin a).
    const scene = createScene([articulated()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const [a, b] = [0.4, -0.7];
    const { link } = addUniversal(scene, {
      mass: 1,
      centre: [0, 0.5, 0],
      inertia: [0.02, 0, 0, 0, 0.01, 0, 0, 0, 0.02],
      anchor: [0, 1, 0],
      first: { axis: [1, 0, 0], coordinate: a },
      second: { axis: [0, 0, 1], coordinate: b },
    });
    scene.add(Link, { parent: link, joint: 'fixed', anchor: [0, 1, 0], mass: 0.1 });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
      record: [Link.position],
    });
    simulation.forward();
    const at = Array.from(await simulation.readFrames(Link.position)).slice(6, 9);
    [-Math.sin(b), 1 + Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a)].forEach((x, k) => {
      expect(at[k]).toBeCloseTo(x, 12);
    });
  });

  it('with parallel axes is refused', () => {
    const scene = createScene([articulated()]);
    const both = { first: { axis: [0, 1, 0] }, second: { axis: [0, -2, 0] } };
    expect(() => addUniversal(scene, { mass: 1, ...both }, 'the joint')).toThrowCode({
      code: 'articulated/equal-axes',
      values: ['the joint'],
    });
  });
});

describe('log-Cholesky factors of a pseudo-inertia', () => {
  let state = (SEED % 1_000_000) + 1;
  const draw = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
  const drawn = (size: number) => ({
    logScale: size * draw(),
    spread: [0, 1, 2].map(() => size * draw()),
    shear: [0, 1, 2].map(() => size * draw()),
    massCentre: [0, 1, 2].map(() => size * draw()),
  });
  const flat = ({ mass, centre, inertia }: ReturnType<typeof bodyOfLogCholesky>) => [mass, ...centre, ...inertia];

  it('give a physical body whatever their values, and the same body when recomputed from it', () => {
    for (let k = 0; k < 500; k++) {
      const factors = drawn(k % 2 ? 1 : 3);
      const body = bodyOfLogCholesky(factors);
      // Principal moments at least 0, none above the sum of the other two: x^T (tr(I)/2 - I) x > 0 for any x.
      const trace = body.inertia[0] + body.inertia[4] + body.inertia[8];
      for (let t = 0; t < 20; t++) {
        const x = [draw(), draw(), draw()];
        const along = x.reduce((sum, a, i) => sum + x.reduce((s, b, j) => s + a * b * body.inertia[3 * i + j], 0), 0);
        expect(((trace / 2) * x.reduce((sum, a) => sum + a * a, 0) - along) / trace).toBeGreaterThan(-1e-15);
      }
      expect(body.mass).toBeGreaterThan(0);
      if (k % 2 === 0) continue;
      const again = flat(bodyOfLogCholesky(logCholeskyOf(body)));
      const scale = Math.max(...flat(body).map(Math.abs));
      flat(body).forEach((value, i) => {
        expect(Math.abs(again[i] - value) / scale).toBeLessThan(1e-12);
      });
    }
  });

  const arm = (withFactors: boolean): Scene => {
    const scene = createScene([articulated()]);
    const body = {
      ...bodyOfLogCholesky({
        logScale: 0.1,
        spread: [-2, -1.5, -1.8],
        shear: [0.05, -0.03, 0.02],
        massCentre: [0.1, -0.3, 0.05],
      }),
    };
    const upper = scene.add(Link, { joint: 'revolute', axis: [0.2, 0, 1], ...body, rate: 2 });
    const lower = scene.add(Link, {
      parent: upper,
      joint: 'ball',
      anchor: [0, -0.5, 0],
      ...body,
      angularVelocity: [1, 2, 0],
    });
    scene.add(Link, {
      parent: lower,
      joint: 'revolute',
      anchor: [0, -0.5, 0],
      mass: 0.2,
      centre: [0.2, 0, 0],
    });
    if (withFactors) for (const link of [upper, lower]) addLogCholesky(scene, link);
    return scene;
  };
  const rollout = { frames: 4, frameRate: 10, substeps: 20 };

  it('move links like the body that they describe', async () => {
    const [own, other] = await Promise.all(
      [true, false].map(async (withFactors) => {
        const simulation = await createSimulation(buildModel(arm(withFactors)), {
          device: f64Device(),
          ...rollout,
          record: [Link.position],
        });
        simulation.forward();
        return simulation.readFrames(Link.position);
      }),
    );
    own.forEach((x, k) => {
      expect(x).toBeCloseTo(other[k], 12);
    });
  });

  it('have derivatives over a run that agree with central differences', async () => {
    const { parameters } = await checkGradients(buildModel(arm(true)), {
      ...rollout,
      seed: SEED,
      parameters: [LogCholesky.logScale, LogCholesky.spread, LogCholesky.shear, LogCholesky.massCentre, Link.mass],
      outputs: [Link.coordinate, Link.rate, Link.jointOrientation],
    });
    for (const { adjoint } of Object.values(parameters)) expect(Math.abs(adjoint)).toBeGreaterThan(1e-9);
  });

  it('give on cpu the motion and derivatives of doubles, with an actuator', async () => {
    const scene = arm(true);
    const lever = scene.add(Link, { ...rotor, coordinate: 0.2 }, 'the lever');
    scene.add(Actuator, { link: lever, gain: 3, stiffness: 3, damping: 0.2, control: 0.7, upperForce: 0.5 });
    await checkDevices(buildModel(scene), {
      ...rollout,
      seed: SEED,
      devices: [cpuDevice()],
      parameters: [LogCholesky.spread, LogCholesky.massCentre, Actuator.gain, Actuator.upperForce],
      outputs: [Link.coordinate, Link.rate],
    });
  });

  it('of a point mass are refused by name', () => {
    const scene = createScene([articulated()]);
    const rod = scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -1, 0] }, 'the rod');
    expect(() => addLogCholesky(scene, rod)).toThrowCode({
      code: 'articulated/inertia-not-physical',
      element: 'the rod',
    });
  });
});
