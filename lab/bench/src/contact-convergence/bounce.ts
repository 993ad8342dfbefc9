/** One bounce of a point of 1 kg on the ground, either sliding or held by friction from first contact on; SI units. */
export interface Bounce {
  readonly height: number;
  /** Initial velocity along the ground and upwards, m/s. */
  readonly velocity: readonly [number, number];
  readonly ke: number;
  readonly kd: number;
  readonly kf: number;
  readonly mu: number;
}

/** Acceleration of gravity, m/s^2. */
export const GRAVITY = 9.81;

/**
 * Position and velocity (x, y, x', y') at `time`, after one bounce, in closed form. It falls until y = 0, at t_1 with
 * y' = v_1. Then y'' = -ke y - kd y' - g, a damped oscillator about y* = -g / ke:
 *
 *     y - y* = exp(-b t) (A cos w t + B sin w t),  b = kd / 2, w^2 = ke - b^2, A = -y*, B = (v_1 + b A) / w,
 *
 * until f_n = -ke y - kd y' falls to 0, from where it flies freely: contact does not pull. While friction holds, kf x' < mu f_n,
 * it feels x'' = -kf x', so x' = v_x exp(-kf t) and x = v_x (1 - exp(-kf t)) / kf. Sliding from t_s on, with v_s and y_s, y'_s
 * there, it feels x'' = -mu f_n = -mu (y'' + g), so with t = t_s + s it has x' = v_s - mu (y' - y'_s + g s) and has come
 * v_s s - mu (y - y_s - y'_s s + g s^2 / 2) further.
 */
export function bounce({ height, velocity: [vx, vy], ke, kd, kf, mu }: Bounce, time: number): number[] {
  const g = GRAVITY;
  const t1 = (vy + Math.sqrt(vy * vy + 2 * g * height)) / g;
  const v1 = vy - g * t1;
  const [b, rest] = [kd / 2, -g / ke];
  const w = Math.sqrt(ke - b * b);
  const [A, B] = [-rest, (v1 - b * rest) / w];
  const touching = (t: number): [y: number, v: number] => {
    const [c, s, decay] = [Math.cos(w * t), Math.sin(w * t), Math.exp(-b * t)];
    const z = decay * (A * c + B * s);
    return [rest + z, decay * w * (B * c - A * s) - b * z];
  };
  const force = (t: number): number => {
    const [y, v] = touching(t);
    return -ke * y - kd * v;
  };
  const t2 = rootOf(force, 0, (1.1 * Math.PI) / w);
  const [y2, v2] = touching(t2);
  const spare = (t: number): number => mu * force(t) - kf * vx * Math.exp(-kf * t);
  const ts = spare(0) > 0 ? rootOf(spare, 0, t2) : 0;
  const [ys, vys] = touching(ts);
  const vs = vx * Math.exp(-kf * ts);
  const held = (vx * -Math.expm1(-kf * ts)) / kf;
  const s = t2 - ts;
  const vxAfter = vs - mu * (v2 - vys + g * s);
  const x2 = vx * t1 + held + vs * s - mu * (y2 - ys - vys * s + (g * s * s) / 2);
  const left = time - t1 - t2;
  return [x2 + vxAfter * left, y2 + v2 * left - (g * left * left) / 2, vxAfter, v2 - g * left];
}

/** Returns the time at which f falls through 0, by bisection to rounding error. */
function rootOf(f: (t: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}
