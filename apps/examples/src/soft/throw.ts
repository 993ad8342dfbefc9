/**
 * Velocities v + omega x r, m/s, of particles at positions r of a body that translates and rotates about the origin.
 */
export const rigidVelocities = (
  positions: ArrayLike<number>,
  velocity: readonly number[],
  spin: readonly number[],
): number[] =>
  Array.from(positions, (_, k) => {
    const [axis, particle] = [k % 3, k - (k % 3)];
    const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    return velocity[axis] + spin[next] * positions[particle + last] - spin[last] * positions[particle + next];
  });
