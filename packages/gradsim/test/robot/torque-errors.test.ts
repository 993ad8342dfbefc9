import { describe, expect, it } from 'vitest';
import { judgedTogether, type TorqueErrors } from '../../src/robot/torque-errors.ts';

const one = (more: Partial<TorqueErrors>): TorqueErrors => ({
  log: 'a.csv',
  isHeldOut: false,
  joint: 'knee',
  unit: 'N m',
  torque: 2,
  noise: 0.01,
  given: 1,
  calibrated: 0.02,
  independent: 100,
  ...more,
});

describe('errors of torques', () => {
  it('are judged by themselves in a log of 25 independent samples, whatever the others', () => {
    const all = [one({}), one({ log: 'b.csv', torque: 0.3, calibrated: 0.1, independent: 25 })];
    expect(judgedTogether(all)).toEqual(all);
  });
  it('are judged together, weighted by their samples, in shorter ones', () => {
    const flights = [
      one({ log: 'hop0', torque: 3, calibrated: 0.01, independent: 9 }),
      one({ log: 'hop1', torque: 0.1, calibrated: 0.05, independent: 0.3 }),
      one({ log: 'hop0', joint: 'hip', independent: 9 }),
    ];
    const [long, knee, hip] = judgedTogether([one({}), ...flights]);
    expect(long).toEqual(one({}));
    expect(knee.log).toBe('2 short logs, from hop0');
    expect(knee.torque).toBeCloseTo(Math.sqrt((9 * 9 + 0.3 * 0.01) / 9.3), 12);
    expect(knee.calibrated).toBeCloseTo(Math.sqrt((9 * 1e-4 + 0.3 * 2.5e-3) / 9.3), 12);
    expect(hip).toEqual(one({ log: 'hop0', joint: 'hip', independent: 9 }));
  });
});
