// Gains of servos, friction and armature from commands and positions alone: a hobby arm by a simulator of its own.
import { expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { drawFrom } from '../src/robots/draw.ts';
import { hobbyTrial } from '../src/robots/hobby.ts';

const SEED = seedOfRun('commands');

it('commands of positions give gains, friction, armature and delay of a hobby arm, and name what gains absorb', async () => {
  const { servo, told } = await hobbyTrial(drawFrom(SEED));
  const { sensors, delay } = told;
  const [first, second] = sensors;
  expect([first.name, second.name, delay.name]).toEqual([
    'proportional gain of j1',
    'proportional gain of j2',
    'delay of commands',
  ]);
  const said = `seed ${SEED}`;
  for (const [j, { estimate, standardError }] of [first, second].entries()) {
    expect(Math.abs(estimate - servo.kp[j]), said).toBeLessThan(6 * standardError);
    expect(Math.abs(estimate / servo.kp[j] - 1), said).toBeLessThan(0.01);
  }
  // Its standard error is 3 ms.
  expect(Math.abs(delay.estimate - servo.delay), said).toBeLessThan(Math.min(1e-3, delay.standardError));
  const names = told.estimates.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['damping and derivative gain of j1', 'dryFriction of j2']));
  for (const { name, estimate, truth, standardError } of told.estimates) {
    expect(Math.abs(estimate - truth), `${name}, ${said}`).toBeLessThan(6 * standardError);
    if (truth > 0) expect(Math.abs(estimate / truth - 1), `${name}, ${said}`).toBeLessThan(0.06);
  }
});

it('commands of velocities give gains, friction, armature and delay, and damping apart from gains', async () => {
  const { servo, told } = await hobbyTrial(drawFrom(SEED + 1), 'velocity');
  const { sensors, delay, estimates } = told;
  const said = `seed ${SEED}`;
  expect(sensors.slice(0, 2).map(({ name }) => name)).toEqual(['velocity gain of j1', 'velocity gain of j2']);
  for (const [j, { estimate, standardError }] of sensors.slice(0, 2).entries()) {
    expect(Math.abs(estimate - servo.kd[j]), said).toBeLessThan(6 * standardError);
    expect(Math.abs(estimate / servo.kd[j] - 1), said).toBeLessThan(0.01);
  }
  expect(Math.abs(delay.estimate - servo.delay), said).toBeLessThan(1e-3);
  expect(estimates.map(({ name }) => name)).toEqual(expect.arrayContaining(['damping of j1', 'dryFriction of j2']));
  for (const { name, estimate, truth, standardError } of estimates)
    expect(Math.abs(estimate - truth), `${name}, ${said}`).toBeLessThan(6 * standardError);
});
