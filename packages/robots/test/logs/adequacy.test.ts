// What a model is without, from logs of a pendulum whose torques follow from its motion by closed equations.

import type { JointLog, Robot } from '@gradsim/robots';
import { identifyRobot, isWithoutTorque, ratiosOfFreeSwings, readMjcf } from '@gradsim/robots';
import { beforeAll, describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers } from '../../../../scripts/vitest/draws.ts';

const [INERTIA, MOMENT, DAMPING, DRY, ARMATURE] = [0.05, 0.2, 0.1, 0.3, 0.01];
const [RATE, SECONDS] = [200, 20];

let robot: Robot;
beforeAll(async () => {
  robot = await readMjcf(`<mujoco><worldbody><body name="arm"><joint name="pivot" axis="0 1 0"/>
    <inertial pos="0 0 -0.3" mass="0.6" diaginertia="0.01 0.01 0.001"/></body></worldbody></mujoco>`);
});

/** Random numbers, uniform and standard normal. */
function drawFrom(seed: number) {
  const uniform = randomNumbers(seed);
  return { uniform, normal: normalNumbers(uniform) };
}

type Extra = (q: number, v: number, load: number, a: number) => number;

/**
 * A log of a motion of six sines of random phase, with white noise, and a torque that the model is without.
 * @param stiffness between motor and link, N m/rad; positions are logged at the motor.
 */
function logOf(seed: number, extra: Extra = () => 0, noise = 0.03, stiffness = Number.POSITIVE_INFINITY): JointLog {
  const { uniform, normal } = drawFrom(seed);
  const sines = Array.from({ length: 6 }, (_, k) => ({
    size: 1 / (k + 1),
    w: (2 * Math.PI * (k + 1)) / 6,
    phase: 2 * Math.PI * uniform(),
  }));
  const time = Array.from({ length: RATE * SECONDS }, (_, s) => s / RATE);
  const linkAt = (t: number) => {
    const [q, v, a] = [0, 1, 2].map((order) =>
      sines.reduce(
        (sum, { size, w, phase }) => sum + size * w ** order * Math.sin(w * t + phase + (order * Math.PI) / 2),
        0,
      ),
    );
    return { q, v, a, load: INERTIA * a + 9.81 * MOMENT * Math.sin(q) };
  };
  const motorAt = (t: number): number => {
    const { q, load } = linkAt(t);
    return q + load / stiffness;
  };
  const positions: number[] = [];
  const torques = time.map((t) => {
    const { q, v, a, load } = linkAt(t);
    const [before, now, after] = [t - 1e-4, t, t + 1e-4].map(motorAt);
    positions.push(now + 1e-4 * normal());
    const rate = (after - before) / 2e-4;
    const ofRotor = (ARMATURE * (after - 2 * now + before)) / 1e-8;
    return load + ofRotor + DAMPING * rate + DRY * Math.sign(rate) + extra(q, v, load, a) + noise * normal();
  });
  return { name: `seed ${seed}`, time, positions: [positions], torques: [torques] };
}

const SEED = Math.floor(Math.random() * 1e6);

it('has standard errors that hold over draws of noise and motion', () => {
  console.log(`seed ${SEED}`);
  const bars: number[] = [];
  for (let k = 0; k < 12; k++)
    for (const { name, estimate, standardError } of identifyRobot(robot, [logOf(SEED + k)], { delay: 0 })
      .combinations) {
      const truth = [INERTIA + ARMATURE, 0, -MOMENT, DAMPING, DRY];
      const at = ['Jyy', 'm cx', 'm cz', 'damping', 'dry'].findIndex((part) => name.startsWith(part));
      bars.push(Math.abs(estimate - truth[at]) / standardError);
    }
  expect(bars).toHaveLength(60);
  // 95 % of right ones, and by jackknife's t distribution somewhat less: with 48 of 60 a chance of 1e-4.
  expect(bars.filter((x) => x < 2).length).toBeGreaterThanOrEqual(48);
  expect(Math.max(...bars)).toBeLessThan(6);
});

describe('terms beside the model', () => {
  const best = (extra: Extra) => {
    const { trials } = identifyRobot(robot, [logOf(SEED, extra)], { delay: 0 });
    return [...trials()].sort((a, b) => b.gain - a.gain)[0];
  };

  it('foretell nothing better if it is right', () => {
    expect(best(() => 0).gain).toBeLessThan(0.08);
  });

  it.each<[string, Extra]>([
    ['friction curve', (_, v) => 0.25 * Math.sign(v) * Math.exp(-((v / 0.4) ** 2))],
    ['load', (_, v, load) => 0.15 * Math.abs(load) * Math.sign(v)],
    ['bias', () => 0.1],
    ['speed', (_, v) => 0.1 * v * Math.abs(v)],
    ['position', (q) => 0.3 * q],
  ])('name what it is without: %s', (kind, extra) => {
    const found = best(extra);
    expect([found.kind, found.joint]).toEqual([kind, 'pivot']);
    expect(found.gain).toBeGreaterThan(0.1);
  });
});

it('names a soft joint, whose resonance is within the band of torques, and no bias', () => {
  // Positions are those of the motor, ahead of the link by the torque over the stiffness. Resonances at 2.5, 4 and 8 Hz.
  for (const frequency of [2.5, 4, 8]) {
    const stiffness = INERTIA * (2 * Math.PI * frequency) ** 2;
    const { trials } = identifyRobot(robot, [logOf(SEED, () => 0, 0.03, stiffness)], { delay: 0 });
    const [best] = [...trials()].sort((a, b) => b.gain - a.gain);
    expect([best.kind, best.gain > 0.1]).toEqual(['elastic', true]);
  }
});

it('names the log in which the robot carries something, and nothing where it does not', () => {
  const best = (second: JointLog) => {
    const { trials } = identifyRobot(robot, [logOf(SEED), { ...second, name: 'second' }], { delay: 0 });
    return [...trials()].sort((a, b) => b.gain - a.gain)[0];
  };
  // 0.2 kg, 0.3 m from the pivot: of its torque, 0.6 N m of 2.
  const found = best(logOf(SEED + 1, (q, _, __, a) => 0.2 * 0.3 * (0.3 * a + 9.81 * Math.sin(q))));
  expect([found.kind, found.gain > 0.1]).toEqual(['payload', true]);
  expect(found.name).toMatch(/^a payload on "arm" in (second|seed)/);
  expect(best(logOf(SEED + 1)).gain).toBeLessThan(0.08);
});

it('leaves spikes out and names their times', () => {
  const log = logOf(SEED);
  const at = [500, 1203, 1204, 3000];
  const spiked = { ...log, positions: [log.positions[0].map((q, s) => (at.includes(s) ? q + 1.5 : q))] };
  const found = identifyRobot(robot, [spiked], { delay: 0 });
  expect(found.spikes).toEqual([{ log: log.name, joint: 0, quantity: 'positions', seconds: [2.5, 6.015, 15] }]);
  const clean = identifyRobot(robot, [log], { delay: 0 });
  expect(clean.spikes).toEqual([]);
  for (const [k, { estimate, standardError }] of found.combinations.entries())
    expect(Math.abs(estimate - clean.combinations[k].estimate)).toBeLessThan(standardError);
});

it('names a stretch in which something pushes, and does not count it', () => {
  const log = logOf(SEED);
  const pushed = { ...log, torques: [log.torques[0].map((x, s) => (s >= 1600 && s < 1900 ? x + 3 : x))] };
  const { stretches, combinations } = identifyRobot(robot, [pushed], { delay: 0 });
  expect(stretches.length).toBeGreaterThan(0);
  for (const { joint, from, to } of stretches) expect([joint, from > 7.7, to < 9.8]).toEqual([0, true, true]);
  const clean = identifyRobot(robot, [log], { delay: 0 });
  for (const [k, { estimate, standardError }] of combinations.entries())
    expect(Math.abs(estimate - clean.combinations[k].estimate)).toBeLessThan(3 * standardError);
});

it('tells ratios of free swings, and that nothing gives their scale', () => {
  // Motion by Runge-Kutta, without a motor.
  const h = 1 / 400;
  const f = ([q, v]: number[]) => [v, (-9.81 * MOMENT * Math.sin(q) - DAMPING * v) / (INERTIA + ARMATURE)];
  let state = [1.4, 0];
  const states = Array.from({ length: 1600 }, () => {
    const by = (k: number[], d: number) => state.map((x, i) => x + d * k[i]);
    const before = state;
    const k1 = f(state);
    const k2 = f(by(k1, h / 2));
    const k3 = f(by(k2, h / 2));
    const k4 = f(by(k3, h));
    state = state.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    return before;
  });
  const log = {
    name: 'swing',
    time: states.map((_, s) => s * h),
    positions: [states.map(([q]) => q)],
    torques: [states.map(() => 0)],
  };
  expect(isWithoutTorque(robot, [log])).toBe(true);
  expect(() => identifyRobot(robot, [log])).toThrowCode({ code: 'robots/log-no-torque' });
  const ratios = ratiosOfFreeSwings(robot, [log]);
  const of = (part: string) => ratios.find(({ name }) => name.startsWith(part))?.estimate as number;
  expect(of('(m cz of arm)') / (-MOMENT / (INERTIA + ARMATURE))).toBeCloseTo(1, 2);
  expect(of('(damping of pivot)') / (DAMPING / (INERTIA + ARMATURE))).toBeCloseTo(1, 1);
});
