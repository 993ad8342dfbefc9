/** Material of a pair: stiffness, damping, friction stiffness and friction coefficient. */
export interface PlainMaterial {
  readonly ke: number;
  readonly kd: number;
  readonly kf: number;
  readonly mu: number;
}

/** Penetration, m, and its rate of leaving, m/s; whether the state is the first of a run, and forces are implicit. */
export interface PlainTouch {
  readonly depth: number;
  readonly leaving: number;
  readonly dt: number;
  readonly isFirstState?: boolean;
  readonly isAtEnd?: boolean;
}

/** Integral of the positive part of a linear function over a length, given its values at both ends. */
function positivePart(a: number, b: number, length: number): number {
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  if (low >= 0) return (length * (a + b)) / 2;
  return high > 0 ? (length * high * high) / (2 * (high - low)) : 0;
}

/**
 * Contact law in plain numbers, as PHYSICS states it: normal force, N, and friction against a slip of `speed`, N, each
 * the mean over the time that a substep's force stands for.
 */
export function plainContact(
  { depth, leaving, dt, isFirstState = false, isAtEnd = false }: PlainTouch,
  speed: number,
  { ke, kd, kf, mu }: PlainMaterial,
): { readonly normal: number; readonly friction: number } {
  const moved = -leaving * dt;
  if (isAtEnd) {
    if (depth <= 0) return { normal: 0, friction: 0 };
    const s = depth < moved ? depth / moved : 1;
    const p = Math.max(0, ke * depth - kd * leaving);
    const r = leaving > 0 ? Math.min(1, p / (ke * leaving * dt)) : 1;
    const normal = depth < moved ? (ke * depth * (1 + s)) / 2 - s * kd * leaving : (p * (1 + r)) / 2;
    return { normal, friction: Math.min(s * kf * speed, mu * normal) };
  }
  const at = (t: number): number => ke * (depth + t * moved) - kd * leaving;
  if (isFirstState) {
    const normal = depth > 0 ? Math.max(0, at(0)) : 0;
    return { normal, friction: Math.min(kf * speed, mu * normal) };
  }
  if (depth <= 0 && !(leaving > 0 && at(-0.5) > 0)) return { normal: 0, friction: 0 };
  const from = depth > 0 && depth < moved ? -depth / moved : -0.5;
  const [first, last, length] = [at(from), at(0.5), 0.5 - from];
  const normal = positivePart(first, last, length);
  const missing = positivePart(mu * first - kf * speed, mu * last - kf * speed, length);
  return { normal, friction: mu * normal - missing };
}
