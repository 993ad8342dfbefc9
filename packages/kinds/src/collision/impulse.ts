/** Vector in the plane of the motion, m/s. */
export type PlaneVector = readonly [number, number];

/** Quantities that determine the velocities after a touch. */
export interface TouchImpulse {
  /** Velocities just before. */
  readonly first: PlaneVector;
  readonly second: PlaneVector;
  /** Unit vector from the first to the second, along which they push each other. */
  readonly normal: PlaneVector;
  readonly restitution: number;
  /** Mass of the second over that of the first. */
  readonly ratio: number;
  /** Impulse across the normal, as a part of that along it. */
  readonly friction: number;
}

/**
 * Velocities after a touch: both get the same impulse J, against each other, so that momentum is conserved. Along the normal
 * n it is J = (1 + e) m w.n with the reduced mass m = m1 m2 / (m1 + m2) and w the velocity of the first from the second, after
 * which these part with e times the speed of their approach (Newton); across it friction adds a part of J.
 */
export function afterTouch({
  first,
  second,
  normal,
  restitution,
  ratio,
  friction,
}: TouchImpulse): readonly [PlaneVector, PlaneVector] {
  const [n, t] = [normal, [-normal[1], normal[0]]];
  const closing = (first[0] - second[0]) * n[0] + (first[1] - second[1]) * n[1];
  // By the mass of the first.
  const push = ((1 + restitution) * closing * ratio) / (1 + ratio);
  const impulse = [0, 1].map((k) => push * (n[k] + friction * t[k]));
  return [
    [first[0] - impulse[0], first[1] - impulse[1]],
    [second[0] + impulse[0] / ratio, second[1] + impulse[1] / ratio],
  ];
}

/** Restitution, ratio of masses and friction of a touch whose velocities are known. */
export function impulseOf(
  first: readonly [PlaneVector, PlaneVector],
  second: readonly [PlaneVector, PlaneVector],
  normal: PlaneVector,
): Pick<TouchImpulse, 'restitution' | 'ratio' | 'friction'> {
  const minus = (a: PlaneVector, b: PlaneVector): PlaneVector => [a[0] - b[0], a[1] - b[1]];
  const along = (a: PlaneVector): number => a[0] * normal[0] + a[1] * normal[1];
  const [lost, won] = [minus(first[0], first[1]), minus(second[1], second[0])];
  const across = lost[1] * normal[0] - lost[0] * normal[1];
  return {
    restitution: along(minus(second[1], first[1])) / along(minus(first[0], second[0])),
    ratio: Math.hypot(...lost) / Math.hypot(...won),
    friction: across / along(lost),
  };
}

/** Part of the energy of motion that is left after a touch: of what moves, not of what turns. */
export function energyKept(
  before: readonly [PlaneVector, PlaneVector],
  after: readonly [PlaneVector, PlaneVector],
  ratio: number,
): number {
  const energy = ([a, b]: readonly [PlaneVector, PlaneVector]): number =>
    a[0] ** 2 + a[1] ** 2 + ratio * (b[0] ** 2 + b[1] ** 2);
  return energy(after) / energy(before);
}
