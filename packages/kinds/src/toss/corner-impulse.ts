import { add, scale, type Vector } from '@gradsim/base';

/** Parts of a blow and steps for each of them, as in the impacts of @gradsim/contact. */
const [PARTS, STEPS] = [32, 4] as const;

/**
 * Impulse over mass on a corner on the floor, by the law of `cornerImpulse` of @gradsim/contact: in each part of the blow, friction
 * opposes the mean of the slip before and after.
 *
 * @param K how an impulse changes the corner's velocity, by the axes of the world; the second is up.
 * @param velocity of the corner.
 * @param gained change of its velocity upwards.
 * @param rests true of a corner that stays on the floor.
 */
export function cornerImpulse(
  [[xx, xn, xz], [, nn, zn], [, , zz]]: readonly Vector[],
  [vx, , vz]: Vector,
  gained: number,
  friction: number,
  rests: boolean,
): Vector {
  const parts = rests ? 1 : PARTS;
  const part = gained / parts;
  let [slipX, slipZ] = [vx, vz];
  let all: Vector = [0, 0, 0];
  // How an impulse across changes the slip, where the velocity upwards is the same.
  const [a, b, c] = [xx - (xn * xn) / nn, xz - (xn * zn) / nn, zz - (zn * zn) / nn];
  const determinant = a * c - b * b;
  for (let k = 0; k < parts; k++) {
    const [x, z] = [slipX + (xn * part) / nn, slipZ + (zn * part) / nn];
    let own: Vector = [(b * z - c * x) / determinant, 0, (b * x - a * z) / determinant];
    const pressed = (part - xn * own[0] - zn * own[2]) / nn;
    if (!(pressed > 0 && Math.hypot(own[0], own[2]) <= friction * pressed))
      own =
        (rests
          ? undefined
          : sliding([a / 2, b / 2, c / 2], [(slipX + x) / 2, (slipZ + z) / 2], [xn, zn], friction / nn, part)) ??
        sliding([a, b, c], [x, z], [xn, zn], friction / nn, part) ??
        own;
    const up = (part - xn * own[0] - zn * own[2]) / nn;
    slipX += xx * own[0] + xz * own[2] + xn * up;
    slipZ += xz * own[0] + zz * own[2] + zn * up;
    all = add(all, [own[0], up, own[2]]);
  }
  return all;
}

/** Impulse across of a corner that slides; undefined where none is within its limit. */
function sliding(
  [a, b, c]: readonly number[],
  [x, z]: readonly number[],
  [xn, zn]: readonly number[],
  limit: number,
  part: number,
): Vector | undefined {
  const l = (x * (a * x + b * z) + z * (b * x + c * z)) / (x * x + z * z);
  const [p, r] = [a - l, c - l];
  let [low, high] = [0, 1 / l];
  let y = Math.min((limit * part) / Math.hypot(x, z), high);
  const at = (y: number) => {
    const [m, n, q] = [1 + y * p, y * b, 1 + y * r];
    const determinant = m * q - n * n;
    const solve = (u: number, w: number) => [(q * u - n * w) / determinant, (m * w - n * u) / determinant];
    const v = solve(x, z);
    const bent = solve(p * v[0] + b * v[1], b * v[0] + r * v[1]);
    const speed = Math.hypot(v[0], v[1]);
    const lean = xn * v[0] + zn * v[1];
    const excess = y * speed - limit * (part + y * lean);
    const slope =
      speed - (y * (v[0] * bent[0] + v[1] * bent[1])) / speed - limit * (lean - y * (xn * bent[0] + zn * bent[1]));
    return { v, excess, slope };
  };
  if (!(at(high).excess > 0)) return undefined;
  for (let k = 0; k < STEPS; k++) {
    const { excess, slope } = at(y);
    if (excess > 0) high = y;
    else low = y;
    const next = y - excess / slope;
    y = next >= low && next <= high ? next : (low + high) / 2;
  }
  const { v } = at(y);
  return scale([v[0], 0, v[1]], -y);
}
