import { bounceMaterial, bounceOf } from '@gradsim/contact';
import { describe, expect, it } from 'vitest';

/**
 * Integrates a bounce m x'' = f, f = max(0, -ke x - kd x'), from x = 0 with 1 m/s inwards until the force is 0, by the
 * Runge-Kutta method of fourth order.
 */
function integrated(ke: number, kd: number, mass: number): { restitution: number; duration: number } {
  const dt = 1e-4 / Math.sqrt(ke / mass);
  const force = (x: number, v: number): number => -ke * x - kd * v;
  let [x, v, t] = [0, -1, 0];
  for (;;) {
    const a1 = force(x, v) / mass;
    const [v2, a2] = [v + (a1 * dt) / 2, force(x + (v * dt) / 2, v + (a1 * dt) / 2) / mass];
    const [v3, a3] = [v + (a2 * dt) / 2, force(x + (v2 * dt) / 2, v + (a2 * dt) / 2) / mass];
    const [v4, a4] = [v + a3 * dt, force(x + v3 * dt, v + a3 * dt) / mass];
    x += (dt / 6) * (v + 2 * v2 + 2 * v3 + v4);
    v += (dt / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    t += dt;
    if (force(x, v) <= 0) return { restitution: v, duration: t };
  }
}

describe('bounceOf', () => {
  // Damping ratios from zero to overdamped.
  it.each([0, 0.05, 0.3, 0.9, 0.9999, 1, 1.0001, 1.5, 4])('agrees with integrated forces at damping ratio %d', (z) => {
    const [ke, mass] = [800, 0.2];
    const kd = 2 * z * Math.sqrt(ke * mass);
    const { restitution, duration } = bounceOf({ ke, kd }, mass);
    const seen = integrated(ke, kd, mass);
    expect(restitution).toBeCloseTo(seen.restitution, 3);
    expect(duration / seen.duration).toBeCloseTo(1, 3);
    // bounceMaterial takes restitutions from 0.001.
    if (restitution < 1e-3) return;
    const back = bounceMaterial({ restitution, duration, mass });
    expect(back.ke / ke).toBeCloseTo(1, 5);
    expect(Math.abs(back.kd / kd - 1) || 0).toBeLessThan(1e-5);
  });

  it('refuses ke = 0, and a negative mass', () => {
    expect(() => bounceOf({ ke: 0, kd: 1 }, 1)).toThrowCode({ code: 'contact/value-out-of-range', values: [0, 'ke'] });
    expect(() => bounceOf({ ke: 1, kd: 1 }, -1)).toThrowCode({ code: 'contact/value-out-of-range', values: [-1] });
  });
});
