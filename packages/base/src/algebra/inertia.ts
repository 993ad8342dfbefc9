/**
 * Inertia of a solid ball about its centre, kg m^2: a 3 x 3 matrix as nine numbers, row by row.
 *
 * ```ts
 * scene.add(Body, { mass: 1, inertia: ballInertia(0.1), position });
 * ```
 * @param radius m.
 * @param mass kg.
 */
export const ballInertia = (radius: number, mass = 1): number[] => diagonal(0.4 * mass * radius ** 2);

/**
 * Inertia of a solid box about its centre, with sides along the axes, kg m^2: a 3 x 3 matrix as nine numbers, row by
 * row.
 *
 * @param size lengths of its sides along x, y and z, m.
 * @param mass kg.
 */
export function boxInertia([a, b, c]: readonly [number, number, number], mass = 1): number[] {
  const about = (p: number, q: number): number => (mass * (p * p + q * q)) / 12;
  return diagonal(about(b, c), about(a, c), about(a, b));
}

const diagonal = (x: number, y = x, z = x): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];
