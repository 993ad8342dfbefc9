import type { Arm, Motion, Physics, Reference } from './arm.ts';

/** Uniform random numbers between two ends. */
export type Draw = (from: number, to: number) => number;

/** Uniform numbers from a seed: xorshift of 32 bits. */
export function drawFrom(seed: number): Draw {
  let state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let k = 0; k < 20; k++) next();
  return (from, to) => from + (to - from) * next();
}

/** A kind of physics: what the arm has that the model is without, and what happens to its log. */
export interface Kind {
  readonly physics: (draw: Draw) => Physics;
  /** Words of the term that the verdict is to name. */
  readonly named?: string;
  /** Delay of torques, s. */
  readonly lag?: (draw: Draw) => number;
  /** Number of spikes of an encoder. */
  readonly spikes?: (draw: Draw) => number;
}

const none = (): Physics => ({});

/** The kinds of physics of the bench. */
export const KINDS: Readonly<Record<string, Kind>> = {
  right: { physics: none },
  'stribeck, narrow': {
    named: 'Stribeck',
    physics: (draw) => ({ stribeck: { excess: draw(0.4, 1), width: draw(0.1, 0.25) } }),
  },
  'stribeck, wide': {
    named: 'Stribeck',
    physics: (draw) => ({ stribeck: { excess: draw(0.4, 1), width: draw(0.4, 0.9) } }),
  },
  soft: { named: 'elastic joint', physics: (draw) => ({ stiffness: [draw(40, 80), draw(20, 40)] }) },
  stiffer: { named: 'elastic joint', physics: (draw) => ({ stiffness: [draw(200, 500), draw(80, 200)] }) },
  backlash: { named: 'backlash', physics: (draw) => ({ play: [draw(0.01, 0.04), draw(0.01, 0.04)] }) },
  direction: { named: 'direction', physics: (draw) => ({ direction: draw(0.15, 0.4) }) },
  load: { named: 'load', physics: (draw) => ({ load: draw(0.06, 0.2) }) },
  lag: { physics: none, lag: (draw) => draw(0.04, 0.12) },
  spikes: { physics: none, spikes: (draw) => Math.round(draw(10, 60)) },
};

/** Draws an arm. */
export const drawArm = (draw: Draw, physics: Physics): Arm => ({
  mass: [draw(1.2, 2.2), draw(0.6, 1.2)],
  centre: [draw(0.15, 0.25), draw(0.1, 0.2)],
  inertia: [draw(0.01, 0.025), draw(0.003, 0.009)],
  armature: [draw(0.01, 0.03), draw(0.008, 0.02)],
  viscous: [draw(0.2, 0.6), draw(0.08, 0.25)],
  dry: [draw(0.3, 0.8), draw(0.15, 0.4)],
  length: 0.4,
  physics,
});

/** Harmonics of a reference: a series of 8 s. */
const HARMONICS = 8;
const PERIOD = 8;

/** Draws the reference of a log. */
export function drawReference(draw: Draw): Reference {
  const series = [0.9, 0.9].map((size) =>
    Array.from({ length: HARMONICS }, (_, k) => ({
      size: (size * draw(0.3, 1)) / (k + 1) ** 0.8,
      rate: (2 * Math.PI * (k + 1)) / PERIOD,
      phase: draw(0, 2 * Math.PI),
    })),
  );
  const at = (j: number, t: number): number =>
    0.6 * series[j].reduce((sum, { size, rate, phase }) => sum + size * Math.sin(rate * t + phase), 0);
  return (t) => [at(0, t), at(1, t)];
}

/** Step of an encoder of 14 bits, rad. */
const ENCODER = (2 * Math.PI) / 2 ** 14;
const POSITION_NOISE = 2e-5;
/** Standard deviation of a sample of a torque, N m. */
export const TORQUE_NOISE = 0.05;

/** The log of a motion as a table of text, with noise, steps of encoders, torques that come late, and spikes. */
export function logOf({ time, positions, torques }: Motion, draw: Draw, lag: number, spikes: number): string {
  const normal = (): number => Math.sqrt(-2 * Math.log(draw(1e-12, 1))) * Math.cos(draw(0, 2 * Math.PI));
  const shift = Math.round(lag * 500);
  const at = new Map(
    Array.from({ length: spikes }, () => [Math.round(draw(5, time.length - 5)), draw(-3, 3)] as const),
  );
  const lines = time.slice(shift).map((t, k) => {
    const s = k + shift;
    const q = [0, 1].map(
      (j) =>
        ENCODER * Math.round((positions[j][s] + POSITION_NOISE * normal()) / ENCODER) +
        (j === 0 ? (at.get(s) ?? 0) : 0),
    );
    const tau = [0, 1].map((j) => torques[j][s - shift] + TORQUE_NOISE * normal());
    return [t.toFixed(3), ...q.map((x) => x.toFixed(7)), ...tau.map((x) => x.toPrecision(7))].join(',');
  });
  return ['time,pos_j1,pos_j2,tau_j1,tau_j2', ...lines].join('\n');
}
