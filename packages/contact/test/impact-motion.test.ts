import { HalfSpace, HalfSpaceMaterial, impactOf, impacts } from '@gradsim/contact';
import type { Device, Plugin, Simulation, ValuesOf } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f64Device,
  kernel,
  vec3,
} from '@gradsim/core';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

const G = 9.81;
/** Radius of the ball, m. */
const RADIUS = 0.1;
/** Moment of inertia of a solid ball of 1 kg, kg m^2. */
const MOMENT = 0.4 * RADIUS ** 2;
const BALL = { mass: 1, inertia: [MOMENT, 0, 0, 0, MOMENT, 0, 0, 0, MOMENT] };

interface Run {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  readonly gravity?: readonly number[];
  readonly grounds?: readonly ValuesOf<typeof HalfSpace>[];
  readonly surfaceMu?: number;
  readonly more?: readonly Plugin[];
  readonly device?: Device;
  readonly parameters?: readonly string[];
  readonly outputs?: readonly string[];
}

/** Simulates a ball with impacts above the half-space y <= 0, or above other half-spaces. */
async function ball(
  body: ValuesOf<typeof Body>,
  material: { readonly restitution?: number; readonly mu?: number },
  run: Run,
): Promise<Simulation> {
  const { gravity = [0, -G, 0], grounds = [{}], surfaceMu, more = [], device = f64Device(), ...rest } = run;
  const scene = createScene([rigid(), impacts(), ...more]);
  scene.attach(scene.add(Body, { ...BALL, ...body }), impactOf(Body), { radius: RADIUS, ...material });
  for (const ground of grounds) {
    const halfSpace = scene.add(HalfSpace, ground);
    if (surfaceMu !== undefined) scene.attach(halfSpace, HalfSpaceMaterial, { mu: surfaceMu });
  }
  scene.add(Gravity, { acceleration: gravity });
  const record = ['bodies.position', 'bodies.velocity', 'bodies.angularVelocity', 'bodies.orientation'];
  const simulation = await createSimulation(buildModel(scene), { device, ...rest, record });
  simulation.forward();
  return simulation;
}

/** Returns a recorded vector of the only body, per frame. */
async function recorded(simulation: Simulation, field: string): Promise<number[][]> {
  const all = await simulation.readFrames(field);
  return Array.from({ length: all.length / 3 }, (_, k) => [...all.slice(3 * k, 3 * k + 3)]);
}

/** A ball whose lowest point is at `height` (m), with upward speed `up` (m/s), observed after `time` (s). */
interface Drop {
  readonly height: number;
  readonly up: number;
  readonly restitution: number;
  readonly time: number;
  readonly g?: number;
}

/** Returns the height of the ball's lowest point at that time, m: parabolas between impacts, and rest in the end. */
function bouncing({ height, up, restitution, time, g = G }: Drop): number {
  let speed = Math.sqrt(up * up + 2 * g * height);
  let left = time - (up + speed) / g;
  if (left < 0) return height + up * time - (g / 2) * time * time;
  while (speed > 1e-9) {
    speed *= restitution;
    const flight = (2 * speed) / g;
    if (left < flight) return speed * left - (g / 2) * left * left;
    left -= flight;
  }
  return 0;
}

describe('a ball with instantaneous impacts', () => {
  const FRAMES = { frames: 101, frameRate: 25 };
  /**
   * Returns the initial velocity for an upward speed of `up` at the start: stored velocities are those half a substep
   * earlier.
   */
  const started = (up: number, substeps: number) => [0.3, up + G / 25 / substeps / 2, 0];

  // Parabolas are exact in discrete time, and impacts at their own time keep them exact, for any substep, until a hop
  // takes no more than one: from there on it is at rest, at most g dt^2 / 8 too low.
  it.each([
    [0.9, 8],
    [0.6, 8],
    [0.6, 40],
    [0, 8],
  ])('bounces as in closed form: e = %d, %d substeps a frame', async (restitution, substeps) => {
    const start = { position: [0, 1 + RADIUS, 0], velocity: started(0.7, substeps) };
    const run = await ball(start, { restitution }, { ...FRAMES, substeps });
    const least = (G / 8) * (1 / 25 / substeps) ** 2;
    for (const [k, [x, y]] of (await recorded(run, 'bodies.position')).entries()) {
      const expected = bouncing({ height: 1, up: 0.7, restitution, time: k / 25 });
      expect(x).toBeCloseTo((0.3 * k) / 25, 12);
      expect(Math.abs(y - RADIUS - expected)).toBeLessThan(expected > 4 * least ? 1e-10 : 4 * least);
    }
  });

  it('comes to rest on the surface, after the finite time of its hops', async () => {
    // t_n = v / g (1 + 2 e + 2 e^2 + ...) = v / g (1 + e) / (1 - e) = 1.8 s from 1 m with e = 0.6.
    const run = await ball({ position: [0, 1 + RADIUS, 0] }, { restitution: 0.6 }, { ...FRAMES, substeps: 8 });
    const heights = (await recorded(run, 'bodies.position')).map(([, y]) => y);
    const speeds = (await recorded(run, 'bodies.velocity')).map(([, v]) => v);
    const rest = (Math.sqrt(2 / G) * (1 + 0.6)) / (1 - 0.6);
    for (let k = Math.ceil(rest * 25) + 1; k < 101; k++) {
      expect(heights[k]).toBeCloseTo(RADIUS, 14);
      expect(Math.abs(speeds[k])).toBeLessThan(1e-14);
    }
    expect(Math.max(...speeds.slice(Math.floor(rest * 25) - 8))).toBeGreaterThan(0);
  });

  it.each([1, 7])('has the derivatives of the closed form, with %d substeps a frame', async (substeps) => {
    const [velocity, height] = [0.2, 0.8];
    const end = await ball(
      { position: [0, height + RADIUS, 0], velocity: [1, velocity, 0] },
      { restitution: 0.7 },
      {
        frames: 40,
        frameRate: 30,
        substeps,
        outputs: ['bodies.position'],
        parameters: ['bodies.restitution', 'world.gravity', 'bodies.position', 'bodies.velocity'],
      },
    );
    const upwards = new Float64Array(3 * 40);
    upwards[3 * 39 + 1] = 1;
    end.backward({ 'bodies.position': upwards });
    // After the second impact; the speed is that of half a substep before the start.
    const at = (restitution = 0.7, g = G, h = height, v = velocity): number =>
      bouncing({ height: h, up: v - g / 60 / substeps, restitution, time: 39 / 30, g });
    const slope = (of: (step: number) => number): number => (of(1e-5) - of(-1e-5)) / 2e-5;
    const [byE] = await end.gradient('bodies.restitution');
    const [byG, byHeight, bySpeed] = await Promise.all(
      ['world.gravity', 'bodies.position', 'bodies.velocity'].map(async (f) => (await end.gradient(f))[1]),
    );
    expect(byE).toBeCloseTo(
      slope((s) => at(0.7 + s)),
      6,
    );
    expect(-byG).toBeCloseTo(
      slope((s) => at(0.7, G + s)),
      6,
    );
    expect(byHeight).toBeCloseTo(
      slope((s) => at(0.7, G, height + s)),
      6,
    );
    expect(bySpeed).toBeCloseTo(
      slope((s) => at(0.7, G, height, velocity + s)),
      6,
    );
  });

  it('with restitution 1 follows the closed form to 50 um for 10 s in single precision', async () => {
    const device = cpuDevice();
    // Each takes 2 v / g with v^2 = 2 g h: 0.4 s from h = g / 50.
    const start = { position: [0, G / 50 + RADIUS, 0], velocity: started(0, 100) };
    const run = { frames: 251, frameRate: 25, substeps: 100, device };
    const end = await ball(start, { restitution: 1 }, run);
    const heights = (await recorded(end, 'bodies.position')).map(([, y]) => y - RADIUS);
    for (let k = 0; k <= 250; k++)
      expect(
        Math.abs(heights[k] - bouncing({ height: G / 50, up: 0, restitution: 1, time: k / 25 })),
        `frame ${k}`,
      ).toBeLessThan(5e-5);
    end.dispose();
    device.dispose();
  });

  it('has an error of second order in dt if the force changes within the substep', async () => {
    // On a spring to x = c above the floor, x'' = -w^2 (x - c): from height h at rest it meets the floor at w t =
    // acos(-c / (h - c)) with the speed w sqrt((h - c)^2 - c^2), and with e = 1 is back at t = 2 t1, and so on.
    const [w, c] = [6, 0.15];
    const pull = kernel(
      'pullUp',
      { domain: Body, reads: { position: Body.position }, adds: { force: Body.force } },
      ({ position, force }) => force.add(vec3(0, position.y.sub(RADIUS + c).mul(-w * w), 0)),
    );
    const spring = definePlugin({
      name: 'spring',
      contract: 1,
      requires: ['@gradsim/rigid'],
      build: ({ model }) => model.addPass('force', pull),
    });
    /**
     * Returns the root mean square error of the height, m, over frames and over 16 initial heights, whose impacts are
     * at different times within a substep.
     */
    const errorWith = async (substeps: number): Promise<number> => {
      const squares: number[] = [];
      for (let k = 0; k < 16; k++) {
        const h = 0.5 + 0.01 * k;
        const period = (2 * Math.acos(-c / (h - c))) / w;
        const up = (w * w * (h - c)) / 10 / substeps / 2;
        const start = { position: [0, RADIUS + h, 0], velocity: [0, up, 0] };
        const run = { frames: 21, frameRate: 10, substeps, gravity: [0, 0, 0], more: [spring] };
        const end = await ball(start, { restitution: 1 }, run);
        for (const [f, [, y]] of (await recorded(end, 'bodies.position')).entries()) {
          const t = (f / 10) % period;
          const at = Math.cos(w * Math.min(t, period - t)) * (h - c) + c;
          squares.push((y - RADIUS - at) ** 2);
        }
      }
      return Math.sqrt(squares.reduce((sum, x) => sum + x) / squares.length);
    };
    // Four times the substeps, a sixteenth of the error.
    const errors = [await errorWith(20), await errorWith(80), await errorWith(320)];
    for (const k of [0, 1]) {
      expect(Math.log2(errors[k] / errors[k + 1]) / 2).toBeGreaterThan(1.85);
      expect(Math.log2(errors[k] / errors[k + 1]) / 2).toBeLessThan(2.15);
    }
  });
});

describe('an impact that falls on the time of a state', () => {
  it('has the derivatives of the motion', async () => {
    for (const device of [f64Device(), cpuDevice()])
      for (const [gap, speed] of [
        [0.2, 1],
        [0.4, 1],
        [0.5, 2],
        [0.6, 1],
      ])
        for (const substeps of [100, 250, 400]) {
          const wall = { normal: [-1, 0, 0], offset: -gap - RADIUS };
          const run = { frames: 2, frameRate: 1, substeps, gravity: [0, 0, 0], grounds: [wall], device };
          const seen = { parameters: ['bodies.position', 'bodies.velocity'], outputs: ['bodies.position'] };
          const end = await ball({ velocity: [speed, 0, 0] }, { restitution: 0.5 }, { ...run, ...seen });
          end.backward({ 'bodies.position': [0, 0, 0, 1, 0, 0] });
          expect((await end.gradient('bodies.position'))[0]).toBeCloseTo(-0.5, 3);
          expect((await end.gradient('bodies.velocity'))[0]).toBeCloseTo(-0.5, 3);
          end.dispose();
        }
  });
});

describe('friction of impacts', () => {
  const once = { frames: 2, frameRate: 1 / 0.3, substeps: 30 };
  /** Initial state of a ball that falls 0.2 m, with upward velocity 0 half a substep after its stored velocity. */
  const drop = (velocity: number[], angularVelocity = [0, 0, 0]) => ({
    position: [0, RADIUS + 0.2, 0],
    velocity: [velocity[0], G * 0.005, velocity[2]],
    angularVelocity,
  });
  /** Speed at the first impact, m/s. */
  const fall = Math.sqrt(2 * G * 0.2);

  it('slows a sliding ball by mu (1 + e) times its speed into the ground', async () => {
    // dv = mu (1 + e) v_n, dw = 5/2 dv / r.
    const end = await ball(drop([3, 0, 0]), { restitution: 0.5, mu: 0.1 }, once);
    const dv = 0.1 * 1.5 * fall;
    expect((await end.read('bodies.velocity'))[0]).toBeCloseTo(3 - dv, 9);
    expect((await end.read('bodies.angularVelocity'))[2]).toBeCloseTo((-2.5 * dv) / RADIUS, 9);
  });

  it('with mu = 2 stops the slip: 5/7 of the speed is left without spin, and it reverses with backspin', async () => {
    for (const spin of [0, 40]) {
      const end = await ball(drop([1, 0, 0], [0, 0, spin]), { restitution: 0.5, mu: 2 }, once);
      // About the lowest point v r + 2/5 r^2 w is kept (w to the right -spin).
      const v = (1 - 0.4 * RADIUS * spin) / 1.4;
      expect((await end.read('bodies.velocity'))[0]).toBeCloseTo(v, 9);
      expect((await end.read('bodies.angularVelocity'))[2]).toBeCloseTo(-v / RADIUS, 9);
      // Translation and rotation since the impact.
      const flown = Math.sqrt(0.4 / G);
      expect((await end.read('bodies.position'))[0]).toBeCloseTo(flown + v * (0.3 - flown), 9);
    }
  });

  it.each([
    ['double', f64Device, 9],
    ['single', cpuDevice, 5],
  ] as const)(
    'turns sliding and bouncing into rolling with 5/7 of the speed: %s precision',
    async (_, deviceOf, digits) => {
      const device = deviceOf();
      const run = { frames: 101, frameRate: 25, substeps: 20, device };
      const end = await ball(drop([2, 0, 1]), { restitution: 0.6, mu: 0.15 }, run);
      const [vx, , vz] = await end.read('bodies.velocity');
      const [wx, , wz] = await end.read('bodies.angularVelocity');
      expect(vx).toBeCloseTo((5 / 7) * 2, digits);
      expect(vz).toBeCloseTo(5 / 7, digits);
      expect(wz).toBeCloseTo(-vx / RADIUS, digits - 1);
      expect(wx).toBeCloseTo(vz / RADIUS, digits - 1);
      expect((await end.read('bodies.position'))[1]).toBeCloseTo(RADIUS, digits + 2);
      end.dispose();
      device.dispose();
    },
  );

  it.each([
    // mu above 2/7 tan(angle): rolls with 5/7 g sin. Below: slides with g (sin - mu cos).
    [0.3, 0.2, (5 / 7) * G * Math.sin(0.3)],
    [0.5, 0.1, G * (Math.sin(0.5) - 0.1 * Math.cos(0.5))],
  ])('rolls or slides as in closed form on an incline of %d rad, mu = %d', async (angle, mu, acceleration) => {
    const gravity = [G * Math.sin(angle), -G * Math.cos(angle), 0];
    const run = { frames: 2, frameRate: 1, substeps: 200, gravity };
    const end = await ball({ position: [0, RADIUS, 0] }, { restitution: 0.5, mu }, run);
    expect((await end.read('bodies.velocity'))[0]).toBeCloseTo(acceleration, 9);
    // x = a t (t + dt) / 2 in discrete time.
    expect((await end.read('bodies.position'))[0]).toBeCloseTo((acceleration / 2) * 1.005, 9);
    expect((await end.read('bodies.position'))[1]).toBeCloseTo(RADIUS, 12);
  });

  it('turns a slip back at any time of a substep, with derivatives of the closed form', async () => {
    const [angle, mu, seconds, substeps] = [0.4, 0.05, 1, 960];
    const gravity = [G * Math.sin(angle), -G * Math.cos(angle), 0];
    const [pull, rub] = [G * Math.sin(angle), mu * G * Math.cos(angle)];
    for (let phase = 0; phase < 8; phase++) {
      // Without spin: what it needs to roll is more than friction gives, so that it slides uphill and back.
      const up = 1.5 + (phase / 8) * ((3.5 * rub * seconds) / substeps);
      const body = {
        position: [0, RADIUS, 0],
        velocity: [-up, 0, 0],
        inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1].map((c) => 1e9 * c),
      };
      const run = { frames: 2, frameRate: 1 / seconds, substeps, gravity };
      const end = await ball(
        body,
        { restitution: 0.5, mu },
        {
          ...run,
          parameters: ['bodies.velocity', 'bodies.mu'],
          outputs: ['bodies.position'],
        },
      );
      end.backward({ 'bodies.position': [0, 0, 0, 1, 0, 0] });
      const [[bySpeed], [byMu]] = [await end.gradient('bodies.velocity'), await end.gradient('bodies.mu')];
      end.dispose();
      const turn = up / (pull + rub);
      const back = seconds - turn;
      const ratio = (pull - rub) / (pull + rub);
      expect(bySpeed).toBeCloseTo(turn + ratio * back, 2);
      const [normal, slower] = [rub / mu, turn / (pull + rub)];
      // x = -up turn / 2 + (pull - rub) back^2 / 2, and the turn is earlier by slower for each m/s^2 of friction.
      const byRub = (up * slower) / 2 - back ** 2 / 2 + (pull - rub) * back * slower;
      expect(Math.abs(byMu / (normal * byRub) - 1)).toBeLessThan(0.01);
    }
  });

  it.each([0.1, 2])('over bounces on an incline follows the exact impacts one by one: mu = %d', async (mu) => {
    const [along, into, e] = [G * Math.sin(0.3), G * Math.cos(0.3), 0.7];
    const dt = 1 / 100;
    const start = {
      position: [0, RADIUS + 0.3, 0],
      velocity: [-0.5 - (along * dt) / 2, (into * dt) / 2, 0],
      angularVelocity: [0, 0, 3],
    };
    const gravity = [along, -into, 0];
    const end = await ball(start, { restitution: e, mu }, { frames: 2, frameRate: 1, substeps: 100, gravity });
    // From impact to impact; x, v, angle and w are those at the last one, t seconds before the end.
    let [x, v, angle, w, up] = [0, -0.5, 0, 3, 0];
    let [flight, t] = [Math.sqrt(0.6 / into), 1];
    for (let impact = 0; flight < t; impact++) {
      x += v * flight + (along / 2) * flight * flight;
      v += along * flight;
      angle += w * flight;
      t -= flight;
      const speed = into * (impact === 0 ? flight : flight / 2);
      // K j = -u with K = 7/2, at most mu (1 + e) times the speed; the lowest point slips with v + w r.
      const stop = (v + w * RADIUS) / 3.5;
      const j = -Math.sign(stop) * Math.min(Math.abs(stop), mu * (1 + e) * speed);
      v += j;
      w += (2.5 * j) / RADIUS;
      up = e * speed;
      flight = (2 * up) / into;
    }
    const [px, py] = await end.read('bodies.position');
    expect(px).toBeCloseTo(x + v * t + (along / 2) * t * t, 9);
    expect(py).toBeCloseTo(RADIUS + up * t - (into / 2) * t * t, 9);
    // A substep turns by 2 atan(w dt / 2).
    const [, , qz, qw] = await end.read('bodies.orientation');
    const turned = 2 * Math.atan2(qz, qw) - angle - w * t;
    expect(turned - 2 * Math.PI * Math.round(turned / 2 / Math.PI)).toBeCloseTo(0, 1.9);
  });

  it('combines mu with that of the half-space, by the geometric mean', async () => {
    const end = await ball(drop([3, 0, 0]), { restitution: 0.5, mu: 0.2 }, { ...once, surfaceMu: 0.05 });
    expect((await end.read('bodies.velocity'))[0]).toBeCloseTo(3 - 0.1 * 1.5 * fall, 9);
  });

  it('with mu = 0 leaves the spin of a bouncing ball unchanged', async () => {
    const end = await ball(drop([1, 0, 0], [1, 2, 3]), { restitution: 1 }, once);
    expect([...(await end.read('bodies.angularVelocity'))]).toEqual([1, 2, 3]);
  });
});

it('a ball on the ground without friction slides 10 s at constant speed in single precision, to 5 um', async () => {
  const device = cpuDevice();
  const start = { position: [0, RADIUS, 0], velocity: [1.3, 0, 0.7] };
  const run = { frames: 2, frameRate: 0.1, substeps: 10_000, device };
  const end = await ball(start, { restitution: 0.5 }, run);
  const [x, y, z] = await end.read('bodies.position');
  expect(x).toBeCloseTo(13, 5);
  expect(y).toBeCloseTo(RADIUS, 7);
  expect(z).toBeCloseTo(7, 5);
  end.dispose();
  device.dispose();
});

describe('a ball that starts inside the ground', () => {
  it('is moved to the surface without gaining speed', async () => {
    const run = { frames: 2, frameRate: 10, substeps: 1 };
    const end = await ball({ position: [0, 0.7 * RADIUS, 0] }, { restitution: 0.8 }, run);
    expect((await end.read('bodies.position'))[1]).toBeCloseTo(RADIUS, 14);
    expect((await end.read('bodies.velocity'))[1]).toBeCloseTo(0, 14);
  });
});

describe('several half-spaces', () => {
  it('let a ball come to rest between two of them', async () => {
    const grounds = [{ normal: [0.5, 1, 0] }, { normal: [-1, 1, 0] }];
    const run = { frames: 101, frameRate: 25, substeps: 20, grounds };
    const end = await ball({ position: [0.05, 0.6, 0] }, { restitution: 0.5, mu: 0.3 }, run);
    const [x, y] = await end.read('bodies.position');
    for (const { normal } of grounds) {
      const distance = (normal[0] * x + normal[1] * y) / Math.hypot(...normal);
      expect(distance).toBeCloseTo(RADIUS, 4);
    }
    expect(Math.hypot(...(await end.read('bodies.velocity')))).toBeLessThan(0.02);
  });

  describe.each([
    ['double', f64Device],
    ['single', cpuDevice],
  ] as const)('in %s precision', (_, deviceOf) => {
    const once = { frames: 2, frameRate: 1, substeps: 500, outputs: ['bodies.position'] };
    const between = { restitution: 0.3, mu: 0.3 };

    it.each([20, 30, 45, 60, 75])('hold a ball in a groove between walls of %d degrees', async (degrees) => {
      const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
      const grounds = [{ normal: [sin, cos, 0] }, { normal: [-sin, cos, 0] }];
      const device = deviceOf();
      const run = { ...once, device, grounds, parameters: ['bodies.radius', 'bodies.velocity', 'halfSpaces.offset'] };
      const end = await ball({ position: [0, RADIUS / cos, 0] }, between, run);
      expect((await end.read('bodies.position'))[1]).toBeCloseTo(RADIUS / cos, 6);
      end.backward({ 'bodies.position': [0, 0, 0, 0, 1, 0] });
      expect((await end.gradient('bodies.radius'))[0]).toBeCloseTo(1 / cos, 5);
      for (const byOffset of await end.gradient('halfSpaces.offset')) expect(byOffset).toBeCloseTo(0.5 / cos, 5);
      for (const bySpeed of await end.gradient('bodies.velocity')) expect(Math.abs(bySpeed)).toBeLessThan(1e-9);
      device.dispose();
    });

    it('let a ball roll along a groove about the line through both contacts', async () => {
      const grounds = [{ normal: [0.5, 1, 0] }, { normal: [-0.5, 1, 0] }];
      const device = deviceOf();
      const gravity = [0, -9, 2];
      const run = { ...once, device, gravity, grounds, parameters: ['world.gravity'] };
      const end = await ball({ position: [0, RADIUS * Math.sqrt(1.25), 0] }, between, run);
      // That line is cos(angle) radii away, cos^2 = 1 / 1.25: a = g / (1 + 2/5 / cos^2), and x = a t (t + dt) / 2.
      const rate = 1 / (1 + 0.4 * 1.25);
      const moved = (1 + 1 / once.substeps) / 2;
      expect((await end.read('bodies.position'))[2] / (2 * rate * moved)).toBeCloseTo(1, 3);
      end.backward({ 'bodies.position': [0, 0, 0, 0, 0, 1] });
      expect((await end.gradient('world.gravity'))[2] / (rate * moved)).toBeCloseTo(1, 3);
      device.dispose();
    });

    it('hold a ball in a pit of three', async () => {
      const grounds = [0, 2, 4].map((k) => ({
        normal: [0.5 * Math.cos((k * Math.PI) / 3), 1, 0.5 * Math.sin((k * Math.PI) / 3)],
      }));
      const device = deviceOf();
      const run = { ...once, device, gravity: [0.3, -9, 0.2], grounds, parameters: ['halfSpaces.offset'] };
      const end = await ball({ position: [0, RADIUS * Math.sqrt(1.25), 0] }, between, run);
      expect((await end.read('bodies.position'))[0]).toBeCloseTo(0, 7);
      end.backward({ 'bodies.position': [0, 0, 0, 0, 1, 0] });
      for (const byOffset of await end.gradient('halfSpaces.offset'))
        expect(byOffset).toBeCloseTo(Math.sqrt(1.25) / 3, 5);
      device.dispose();
    });
  });
});
