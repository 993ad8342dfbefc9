import { describe, expect, it } from 'vitest';
import { bouncingBall, impactTimes } from '../src/physics/bouncing-ball.ts';
import { angularFrequency, cantilever, MODES } from '../src/physics/cantilever.ts';
import { conicalPendulum } from '../src/physics/conical-pendulum.ts';
import { dampedSpring } from '../src/physics/damped-spring.ts';
import { integrate } from '../src/physics/extrapolation.ts';
import { flyingBall } from '../src/physics/flying-ball.ts';
import { hangingChain } from '../src/physics/hanging-chain.ts';
import { pendulum, squaredFrequency } from '../src/physics/pendulum.ts';
import { rollingBall } from '../src/physics/rolling-ball.ts';
import { rollingDisc } from '../src/physics/rolling-disc.ts';
import { slidingBox } from '../src/physics/sliding-box.ts';
import { restTime, spinningDisc } from '../src/physics/spinning-disc.ts';
import { tossedBox } from '../src/physics/tossed-box.ts';
import type { Vector } from '../src/vectors.ts';
import { rotate } from '../src/vectors.ts';

/** Derivative df/dt by central differences; for a quadratic function exact except for rounding. */
const slope = (f: (t: number) => number, t: number, step = 1e-4): number => (f(t + step) - f(t - step)) / (2 * step);

describe('a bouncing ball in closed form', () => {
  const ball = {
    radius: 0.1,
    restitution: 0.7,
    gravity: 9.3,
    position: [0.2, 1.1, -0.1] as Vector,
    velocity: [0.8, 0.4, -0.2] as Vector,
  };
  const at = bouncingBall(ball, 2);
  const energy = (t: number): number => 9.3 * (at(t)[1] - 0.1) + slope((s) => at(s)[1], t) ** 2 / 2;

  it('conserves energy in flight, and keeps the fraction e^2 of it at each impact, e the restitution', () => {
    const impacts = impactTimes(ball, 2);
    expect(impacts.length).toBeGreaterThan(2);
    // m g h + m v^2 / 2 of the fall that the start is of.
    expect(energy(0.01)).toBeCloseTo(9.3 * 1 + 0.4 ** 2 / 2, 8);
    impacts.forEach((impact, k) => {
      const after = energy(impact + 0.02);
      expect(after / energy(0.01)).toBeCloseTo(0.7 ** (2 * (k + 1)), 8);
      expect(energy(impact + 0.05)).toBeCloseTo(after, 8);
    });
  });

  it('touches the floor at impacts, never penetrates it, and has a constant velocity along x', () => {
    for (const impact of impactTimes(ball, 2)) expect(at(impact)[1]).toBeCloseTo(0.1, 12);
    for (let t = -0.02; t < 2; t += 0.003) {
      expect(at(t)[1]).toBeGreaterThan(0.1 - 1e-12);
      expect(at(t)[0]).toBeCloseTo(0.2 + 0.8 * t, 12);
    }
  });

  it('comes to rest 2 v e / (g (1 - e)) after the first impact at speed v, e the restitution', () => {
    const [first] = impactTimes(ball, 2);
    const v = Math.sqrt(0.4 ** 2 + 2 * 9.3 * 1);
    const last = impactTimes(ball, 20).at(-1)!;
    expect(last - first).toBeCloseTo((2 * v * 0.7) / (9.3 * 0.3), 5);
    expect(bouncingBall(ball, 20)(15)[1]).toBe(0.1);
  });
});

describe('a ball that flies in air', () => {
  const [gravity, drag] = [9.81, 0.4];

  it('from rest falls ln cosh(sqrt(g c) t) / c, and tends to the speed sqrt(g / c)', () => {
    const at = flyingBall({ gravity, drag, position: [0.3, 2, 0], velocity: [0, 0, 0] });
    for (const t of [0.2, 0.7, 3])
      expect(2 - at(t)[1]).toBeCloseTo(Math.log(Math.cosh(Math.sqrt(gravity * drag) * t)) / drag, 9);
    expect(-slope((t) => at(t)[1], 4)).toBeCloseTo(Math.sqrt(gravity / drag), 4);
  });

  it('flies on a parabola where air does not brake it', () => {
    const at = flyingBall({ gravity, drag: 0, position: [0, 1, 0], velocity: [1.5, 3, -0.2] });
    const [x, y, z] = at(0.6);
    expect(x).toBeCloseTo(0.9, 9);
    expect(y).toBeCloseTo(1 + 3 * 0.6 - (gravity * 0.36) / 2, 9);
    expect(z).toBeCloseTo(-0.12, 9);
  });
});

describe('a mass on a spring in closed form', () => {
  it("follows m y'' = -k y - 2 c m y' from its height and rate at time 0", () => {
    const [stiffness, mass, damping] = [12, 0.3, 0.4];
    const at = dampedSpring({ stiffness, mass, damping, height: 0.07, rate: -0.2 });
    expect(at(0)).toBeCloseTo(0.07, 14);
    expect(slope(at, 0)).toBeCloseTo(-0.2, 7);
    for (let t = 0; t < 2; t += 0.1) {
      const force = -stiffness * at(t) - 2 * damping * mass * slope(at, t);
      expect(mass * slope((s) => slope(at, s), t)).toBeCloseTo(force, 6);
    }
  });
});

describe('a rolling ball in closed form', () => {
  const [angle, gravity, factor, friction] = [0.2, 9.81, 0.4, 0.01];
  const ball = { angle, gravity, factor, friction };

  it('loses mu g cos a s of (1 + f) v^2 / 2 - g s sin a on a distance s, on its way up and down', () => {
    const at = rollingBall({ ...ball, speed: -1 });
    const energy = (t: number): number => ((1 + factor) * slope(at, t) ** 2) / 2 - gravity * at(t) * Math.sin(angle);
    const top = (1 + factor) / (gravity * (Math.sin(angle) + friction * Math.cos(angle)));
    expect(slope(at, top - 0.01)).toBeLessThan(0);
    expect(slope(at, top + 0.01)).toBeGreaterThan(0);
    for (const [from, to] of [
      [0, 0.6],
      [top + 0.05, top + 0.8],
    ]) {
      const lost = friction * gravity * Math.cos(angle) * Math.abs(at(to) - at(from));
      expect(energy(from) - energy(to)).toBeCloseTo(lost, 7);
    }
  });

  it('rolls on from its speed downhill as without the way up', () => {
    const at = rollingBall({ ...ball, speed: 0.3 });
    expect(slope(at, 0.1) - slope(at, 0)).toBeCloseTo(
      (0.1 * gravity * (Math.sin(angle) - friction * Math.cos(angle))) / (1 + factor),
      8,
    );
  });
});

describe('a disc that spins and slows down, by extrapolation', () => {
  const none = { rate: 7, dry: 0, viscous: 0, air: 0 };
  it('turns as the closed forms of each term alone say', () => {
    const [a, b, c, t] = [2, 0.4, 0.05, 1.3];
    expect(spinningDisc({ ...none, dry: a })(t)).toBeCloseTo(7 * t - (a * t * t) / 2, 9);
    expect(spinningDisc({ ...none, viscous: b })(t)).toBeCloseTo((7 / b) * (1 - Math.exp(-b * t)), 9);
    expect(spinningDisc({ ...none, air: c })(t)).toBeCloseTo(Math.log(1 + 7 * c * t) / c, 9);
  });

  it('comes to rest by dry friction, and stays there', () => {
    expect(restTime({ ...none, dry: 2 })).toBeCloseTo(3.5, 9);
    expect(restTime({ ...none, dry: 2, viscous: 0.5 })).toBeCloseTo(Math.log(1 + (0.5 * 7) / 2) / 0.5, 7);
    expect(spinningDisc({ ...none, dry: 2 })(9)).toBeCloseTo(49 / 4, 7);
  });
});

describe('a sliding box in closed form', () => {
  it('with initial speed v on an incline of angle a stops after the distance v^2 / (2 g (mu cos a - sin a)), and stays there', () => {
    const at = slidingBox({ angle: 0.3, gravity: 9.81, mu: 0.6, speed: 1.2 });
    const way = 1.2 ** 2 / (2 * 9.81 * (0.6 * Math.cos(0.3) - Math.sin(0.3)));
    expect(at(5)).toBeCloseTo(way, 12);
    expect(at(6)).toBe(at(5));
  });

  it('loses the energy that friction dissipates', () => {
    const at = slidingBox({ angle: 0.5, gravity: 9.81, mu: 0.2, speed: 0.7 });
    for (const t of [0.2, 0.8]) {
      const energy = slope(at, t) ** 2 / 2 - 9.81 * Math.sin(0.5) * at(t);
      expect(energy).toBeCloseTo(0.7 ** 2 / 2 - 0.2 * 9.81 * Math.cos(0.5) * at(t), 8);
    }
  });
});

describe('a rolling disc in closed form', () => {
  it('gains in kinetic energy, rotation included, what it loses in height', () => {
    const at = rollingDisc({ angle: 0.2, gravity: 9.81, inertiaRatio: 0.6, speed: 0.5 });
    const kinetic = (t: number): number => ((1 + 0.6) * slope(at, t) ** 2) / 2;
    for (const t of [0.3, 1.1]) expect(kinetic(t) - (1.6 * 0.25) / 2).toBeCloseTo(9.81 * Math.sin(0.2) * at(t), 8);
  });
});

describe('integration by extrapolation', () => {
  it('integrates a circular motion to 1e-11, forwards and backwards', () => {
    const circle = ([x, y]: readonly number[]): number[] => [-y, x];
    for (const t of [7, -3]) {
      const [x, y] = integrate(circle, [1, 0], t);
      expect(Math.abs(x - Math.cos(t))).toBeLessThan(1e-11);
      expect(Math.abs(y - Math.sin(t))).toBeLessThan(1e-11);
    }
  });
});

describe('a pendulum', () => {
  const thing = { length: 0.7, radius: 0.05, gravity: 9.2 };

  it('has the period of the elliptic integral, computed by the arithmetic-geometric mean', () => {
    const angle = 1.2;
    const at = pendulum({ ...thing, damping: 0, angle, rate: 0 });
    // T = 2 pi / (w agm(1, cos(a / 2)))
    let [a, b] = [1, Math.cos(angle / 2)];
    for (let k = 0; k < 8; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
    const period = (2 * Math.PI) / (Math.sqrt(squaredFrequency(thing)) * a);
    expect(Math.abs(at(period) - angle)).toBeLessThan(1e-10);
    expect(Math.abs(at(period / 4))).toBeLessThan(1e-10);
    expect(Math.abs(at(-period / 2) + angle)).toBeLessThan(1e-10);
  });

  it('has the squared frequency g l / (l^2 + 2/5 r^2), with the inertia of its ball of radius r', () => {
    expect(squaredFrequency({ ...thing, radius: 0 })).toBeCloseTo(9.2 / 0.7, 12);
    // Steiner: I = m l^2 + 2/5 m r^2.
    expect(squaredFrequency(thing)).toBeCloseTo((9.2 * 0.7) / (0.49 + 0.4 * 0.0025), 12);
  });

  it('decays at small amplitudes like a damped oscillator', () => {
    const [damping, angle] = [0.3, 1e-4];
    const at = pendulum({ ...thing, damping, angle, rate: 0 });
    const w = Math.sqrt(squaredFrequency(thing) - damping ** 2);
    for (const t of [0.4, 2.1]) {
      const linear = angle * Math.exp(-damping * t) * (Math.cos(w * t) + (damping / w) * Math.sin(w * t));
      expect(Math.abs(at(t) - linear)).toBeLessThan(1e-12);
    }
  });
});

describe('a conical pendulum', () => {
  const thing = { length: 0.7, radius: 0.05, gravity: 9.2, damping: 0, angle: 0.6, rate: 0, azimuth: 0.3 };

  it('goes round evenly at w^2 cos a = g l / I', () => {
    const turning = -Math.sqrt(squaredFrequency(thing) / Math.cos(0.6));
    const { angle, azimuth } = conicalPendulum({ ...thing, turning })(3);
    expect(Math.abs(angle - 0.6)).toBeLessThan(1e-9);
    expect(Math.abs(azimuth - 0.3 - 3 * turning)).toBeLessThan(1e-9);
  });

  it('loses angular momentum about the vertical as exp(-2 c t), and swings out and in at another push', () => {
    const at = conicalPendulum({ ...thing, damping: 0.1, turning: 3 });
    const momentum = (t: number): number => Math.sin(at(t).angle) ** 2 * slope((s) => at(s).azimuth, t, 1e-4);
    expect(Math.abs(momentum(2.1) / momentum(0.1) / Math.exp(-0.4) - 1)).toBeLessThan(1e-6);
    expect(at(0.5).angle).toBeLessThan(0.5);
  });
});

describe('a cantilever', () => {
  /** So weak a gravity that deflections are small. */
  const beam = {
    length: 0.8,
    width: 0.06,
    thickness: 0.05,
    density: 900,
    youngsModulus: 4e7,
    dampingRatio: 0.04,
    gravity: 0.01,
  };
  const inertia = (beam.width * beam.thickness ** 3) / 12;
  const area = beam.width * beam.thickness;
  const end = (line: readonly (readonly number[])[]): number => line[line.length - 1][1];

  it('has the tabulated roots of the frequency equation', () => {
    [1.8751041, 4.6940911, 7.8547574, 10.9955407].forEach((root, k) => {
      expect(MODES[k]).toBeCloseTo(root, 6);
    });
  });

  it('has the first angular frequency 1.8751^2 sqrt(E I / (rho A L^4))', () => {
    const { youngsModulus, density, length } = beam;
    const formula = 1.875104 ** 2 * Math.sqrt((youngsModulus * inertia) / (density * area * length ** 4));
    expect(angularFrequency(MODES[0], beam) / formula).toBeCloseTo(1, 6);
    // The end's motion, not the formula: it is lowest half a period after it was highest; by then higher modes are gone.
    const at = cantilever({ ...beam, dampingRatio: 0.01 }, 2.2);
    const extremeNear = (time: number): number => {
      let [early, late] = [time - 0.03, time + 0.03];
      const speed = (t: number): number => slope((s) => end(at(s)), t, 1e-3);
      const sign = Math.sign(speed(early));
      for (let k = 0; k < 40; k++) {
        const middle = (early + late) / 2;
        if (sign * speed(middle) > 0) early = middle;
        else late = middle;
      }
      return early;
    };
    const period = (2 * Math.PI) / formula / Math.sqrt(1 - 0.01 ** 2);
    const [first, last] = [extremeNear(3 * period), extremeNear(5 * period)];
    expect(Math.abs((last - first) / (2 * period) - 1)).toBeLessThan(2e-4);
  });

  it('converges to the static deflection under its weight, also in slope', () => {
    const line = cantilever({ ...beam, dampingRatio: 0.1 }, 5)(5);
    const { length, youngsModulus, density, gravity } = beam;
    const load = (density * area * gravity) / (24 * youngsModulus * inertia);
    for (const part of [0.25, 0.5, 1]) {
      const [x, height, tilt] = line[part * (line.length - 1)];
      expect(x / (part * length)).toBeCloseTo(1, 8);
      // w = q x^2 (x^2 - 4 L x + 6 L^2) / (24 E I)
      const sag = -load * x * x * (x * x - 4 * length * x + 6 * length ** 2);
      const change = -load * (4 * x ** 3 - 12 * length * x * x + 12 * length ** 2 * x);
      expect(Math.abs(height / sag - 1)).toBeLessThan(1e-3);
      expect(Math.abs(tilt / change - 1)).toBeLessThan(2e-3);
    }
  });

  // Euler's elastica under its weight q per length: E I th'' = q (L - s) cos(th), th(0) = 0, th'(L) = 0, solved by shooting.
  it('converges to the elastica where it sags by a third of its length', () => {
    const heavy = { ...beam, dampingRatio: 0.1, gravity: 60 };
    const { length, youngsModulus, density, gravity } = heavy;
    const pull = (density * area * gravity) / (youngsModulus * inertia);
    const shot = (bend: number): number[] =>
      integrate(
        ([angle, curvature, , , s]) => [
          curvature,
          pull * (length - s) * Math.cos(angle),
          Math.cos(angle),
          Math.sin(angle),
          1,
        ],
        [0, bend, 0, 0, 0],
        length,
      );
    let [low, high] = [-10, 0];
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (shot(middle)[1] > 0) high = middle;
      else low = middle;
    }
    const [, , x, y] = shot(low);
    expect(-y / length).toBeGreaterThan(0.3);
    const line = cantilever(heavy, 5)(5);
    expect(Math.abs(line[line.length - 1][0] - x) / length).toBeLessThan(1e-3);
    expect(Math.abs(line[line.length - 1][1] - y) / length).toBeLessThan(1e-3);
  });

  it('has the logarithmic decrement 2 pi z / sqrt(1 - z^2) per period, z the damping ratio', () => {
    const at = cantilever(beam, 4);
    const w = angularFrequency(MODES[0], beam) * Math.sqrt(1 - 0.04 ** 2);
    const period = (2 * Math.PI) / w;
    // Around its sag, rho A g L^4 / (8 E I); later swings, of which higher modes are gone.
    const still = -(beam.density * area * beam.gravity * beam.length ** 4) / (8 * beam.youngsModulus * inertia);
    const swing = (n: number): number => end(at(n * period)) - still;
    expect(Math.log(swing(3) / swing(4))).toBeCloseTo((2 * Math.PI * 0.04) / Math.sqrt(1 - 0.04 ** 2), 3);
  });

  it('is straight before its release, and then falls no faster than freely', () => {
    const at = cantilever({ ...beam, gravity: 9.81 }, 0.1);
    expect(at(-0.01).map(([, y]) => y)).toEqual(at(0).map(() => 0));
    expect(end(at(1e-3))).toBeLessThan(0);
    expect(Math.abs(end(at(0.004)))).toBeLessThan(9.81 * 0.004 ** 2);
  });
});

describe('a tossed box', () => {
  const halfSizes: Vector = [0.09, 0.05, 0.03];
  const toss = (more: Partial<Parameters<typeof tossedBox>[0]> = {}) =>
    tossedBox(
      {
        halfSizes,
        gravity: 9.6,
        restitution: 0.5,
        mu: 0.3,
        from: 0,
        spin: [3, -2, 4] as Vector,
        pose: { position: [0, 0.6, 0], orientation: [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)] },
        velocity: [0.7, 0.4, -0.1] as Vector,
        ...more,
      },
      1,
    );
  const [a, b, c] = halfSizes.map((half) => (half * half) / 3);
  /** Rotational kinetic energy of a box of 1 kg, J. */
  const turning = ({ orientation: q, spin }: ReturnType<ReturnType<typeof tossedBox>>): number => {
    const [x, y, z] = rotate([-q[0], -q[1], -q[2], q[3]], spin);
    return ((b + c) * x * x + (a + c) * y * y + (a + b) * z * z) / 2;
  };
  const energy = (state: ReturnType<ReturnType<typeof tossedBox>>): number =>
    turning(state) + 9.6 * state.position[1] + state.velocity.reduce((sum, v) => sum + (v * v) / 2, 0);
  const lowest = ({ position, orientation }: ReturnType<ReturnType<typeof tossedBox>>): number =>
    Math.min(
      ...[-1, 1].flatMap((x) =>
        [-1, 1].flatMap((y) =>
          [-1, 1].map(
            (z) => position[1] + rotate(orientation, [x * halfSizes[0], y * halfSizes[1], z * halfSizes[2]])[1],
          ),
        ),
      ),
    );

  it('flies on a parabola with constant rotational energy until the first contact', () => {
    const at = toss();
    for (const t of [0.1, 0.2, 0.3]) {
      expect(at(t).position[0]).toBeCloseTo(0.7 * t, 9);
      expect(at(t).position[1]).toBeCloseTo(0.6 + 0.4 * t - 4.8 * t * t, 9);
      expect(turning(at(t))).toBeCloseTo(turning(at(0)), 6);
    }
  });

  it('conserves energy at contacts with restitution 1 and no friction; otherwise loses energy, and never gains any', () => {
    const kept = toss({ restitution: 1, mu: 0 });
    for (const t of [0.5, 0.7, 0.9]) expect(energy(kept(t)) / energy(kept(0))).toBeCloseTo(1, 3);
    const at = toss();
    for (let t = 0.02; t < 1; t += 0.02) {
      expect(energy(at(t))).toBeLessThan(energy(at(t - 0.02)) + 1e-5);
      expect(lowest(at(t))).toBeGreaterThan(-1e-3);
    }
    expect(energy(at(0.9))).toBeLessThan(0.6 * energy(at(0)));
  });
});

describe('a hanging chain', () => {
  const [length, gravity] = [0.8, 9.7];
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const mean = (values: readonly number[]): number =>
    (sum(values) - (values[0] + values.at(-1)!) / 2) / (values.length - 1);
  const rest = Array.from({ length: 7 }, () => 0);

  // 1 - r^2 = sum of 8 J0(z r) / (z^3 J1(z)) over the zeros z of J0, and J0(z sqrt(u)) has the mean 2 J1(z) / z: a straight
  // chain of angle a has its middle a L sum of 16 / z^4 cos(w t) to the side, w = z / 2 sqrt(g / L), where nothing brakes it.
  it('released straight and a little aside swings as the series of Bessel functions', () => {
    const [angle, damping] = [0.01, 0.2];
    const at = hangingChain({ length, gravity, damping, start: [angle, ...rest.slice(1)], startRates: rest }, 2);
    const zeros = [2.404825558, 5.52007811, 8.653727913, 11.791534439, 14.930917708, 18.071063968];
    for (const t of [0.2, 0.5, 0.9, 1.4, 1.9]) {
      const series = sum(
        zeros.map((zero) => {
          const w = Math.sqrt((zero / 2) ** 2 * (gravity / length) - damping ** 2);
          return (16 / zero ** 4) * Math.exp(-damping * t) * (Math.cos(w * t) + (damping / w) * Math.sin(w * t));
        }),
      );
      expect(mean(at(t).map(([, y]) => y)) / length / angle - series).toBeCloseTo(0, 3);
    }
  });

  it('keeps its energy where nothing brakes it, and its length', () => {
    const start = [0.7, 0.2, -0.1, 0.05, 0, 0, 0];
    const at = hangingChain({ length, gravity, damping: 0, start, startRates: [0, 1, 0, 0, 0, 0, 0] }, 1.5);
    const energy = (t: number): number => {
      const [before, line, after] = [-1e-4, 0, 1e-4].map((step) => at(t + step));
      const squares = line.map((_, k) => sum([0, 1].map((c) => ((after[k][c] - before[k][c]) / 2e-4) ** 2)));
      return mean(squares) / 2 - gravity * mean(line.map(([x]) => x));
    };
    for (const t of [0.4, 0.8, 1.3]) {
      expect(Math.abs(energy(t) - energy(0.01)) / (gravity * length)).toBeLessThan(1e-3);
      const line = at(t);
      const pieces = line.slice(1).map((to, k) => Math.hypot(to[0] - line[k][0], to[1] - line[k][1]));
      expect(sum(pieces) / length).toBeCloseTo(1, 3);
    }
  });
});
