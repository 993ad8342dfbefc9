/** A slender horizontal prismatic beam, clamped at one end and straight without load. */
export interface Cantilever {
  /** Length, width and vertical thickness, m. */
  readonly length: number;
  readonly width: number;
  readonly thickness: number;
  /** Density, kg/m^3. */
  readonly density: number;
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Damping ratio of the first mode; ratios of higher modes grow with their frequency, as with viscous damping. */
  readonly dampingRatio: number;
  /** Acceleration of gravity, m/s^2. */
  readonly gravity: number;
}

/** First six roots b L of the frequency equation cos(b L) cosh(b L) = -1. */
export const MODES = [1, 2, 3, 4, 5, 6].map((n) => {
  // Near (n - 1/2) pi; Newton's method for cos z + 1 / cosh z.
  let z = (n - 0.5) * Math.PI + (n === 1 ? 0.3 : 0);
  for (let k = 0; k < 20; k++) {
    const slope = -Math.sin(z) - Math.sinh(z) / Math.cosh(z) ** 2;
    z -= (Math.cos(z) + 1 / Math.cosh(z)) / slope;
  }
  return z;
});

/**
 * Angular frequency of a mode, rad/s, from its root b L: (b L)^2 sqrt(E I / (rho A L^4)), with I / A = thickness^2 /
 * 12.
 */
export const angularFrequency = (z: number, { length, thickness, density, youngsModulus }: Cantilever): number =>
  (z ** 2 * Math.sqrt((youngsModulus * thickness ** 2) / 12 / density)) / length ** 2;

/** Upward displacement of the centre line, m, and its slope, dimensionless. */
export interface Deflection {
  readonly displacement: number;
  readonly slope: number;
}

/**
 * Deflection of the beam after it is released at time 0, straight and at rest: the sum of the first modes of an
 * Euler-Bernoulli beam, each driven by its share of the weight. Before time 0 the beam is straight.
 *
 * @returns function of the distance from the clamp, m, and the time, s.
 */
export function cantilever(beam: Cantilever): (distance: number, seconds: number) => Deflection {
  const { length, gravity } = beam;
  const first = angularFrequency(MODES[0], beam);
  const modes = MODES.map((z) => {
    const frequency = angularFrequency(z, beam);
    const ratio = (beam.dampingRatio * frequency) / first;
    // The integral of a shape over the length, whose square integrates to the length: 2 s / (b L).
    const load = (-gravity * 2 * steepness(z).ratio) / z;
    return { z, frequency, ratio, sag: load / frequency ** 2 };
  });
  return (distance, seconds) => {
    let [displacement, slope] = [0, 0];
    if (seconds <= 0) return { displacement, slope };
    for (const { z, frequency, ratio, sag } of modes) {
      const amount = sag * stepResponse(frequency, ratio, seconds);
      const [shape, change] = shapeOf(z, distance / length);
      displacement += amount * shape;
      slope += (amount * change) / length;
    }
    return { displacement, slope };
  };
}

/**
 * Response q at time t of a damped oscillator to a constant load: solves q'' + 2 ratio w q' + w^2 q = w^2 from rest at
 * time 0.
 */
function stepResponse(w: number, ratio: number, t: number): number {
  const rate = ratio * w;
  const square = 1 - ratio * ratio;
  if (square > 0) {
    const damped = w * Math.sqrt(square);
    return 1 - Math.exp(-rate * t) * (Math.cos(damped * t) + (rate / damped) * Math.sin(damped * t));
  }
  // Overdamped: the two rates, of which the difference is not to overflow.
  const root = w * Math.sqrt(-square);
  const [slow, fast] = [rate - root, rate + root];
  return root === 0
    ? 1 - Math.exp(-rate * t) * (1 + rate * t)
    : 1 - (fast * Math.exp(-slow * t) - slow * Math.exp(-fast * t)) / (fast - slow);
}

/**
 * Coefficient s = (cosh z + cos z) / (sinh z + sin z) of a mode shape, as `ratio`, and 1 - s without cancellation, as
 * `rest`.
 */
function steepness(z: number): { readonly ratio: number; readonly rest: number } {
  const below = Math.sinh(z) + Math.sin(z);
  return {
    ratio: (Math.cosh(z) + Math.cos(z)) / below,
    rest: (Math.sin(z) - Math.cos(z) - Math.exp(-z)) / below,
  };
}

/** Mode shape cosh y - cos y - s (sinh y - sin y) at y = z x, with x from 0 to 1, and its derivative by x. */
function shapeOf(z: number, x: number): [shape: number, change: number] {
  const y = z * x;
  const { ratio, rest } = steepness(z);
  // cosh y - s sinh y = e^-y + (1 - s) sinh y
  const shape = Math.exp(-y) + rest * Math.sinh(y) - Math.cos(y) + ratio * Math.sin(y);
  const change = -Math.exp(-y) + rest * Math.cosh(y) + Math.sin(y) + ratio * Math.cos(y);
  return [shape, z * change];
}
