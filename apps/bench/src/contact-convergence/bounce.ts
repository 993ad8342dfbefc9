/** One bounce of a sliding point of 1 kg; SI units. */
export interface Bounce {
  readonly height: number;
  /** Along the ground and away from it, at the start. */
  readonly velocity: readonly [number, number];
  readonly ke: number;
  readonly kd: number;
  readonly mu: number;
}

export const GRAVITY = 9.81;

/**
 * Position and velocity (x, y, x', y') at `time`, after one bounce, in closed form. It falls until y = 0, at t_1 with
 * y' = v_1. Then y'' = -ke y - kd y' - g, a damped oscillator about y* = -g / ke:
 *
 *     y - y* = exp(-b t) (A cos w t + B sin w t),  b = kd / 2, w^2 = ke - b^2, A = -y*, B = (v_1 + b A) / w,
 *
 * until f_n = -ke y - kd y' falls to 0, from where it flies freely: contact does not pull. Sliding throughout, it feels
 * x'' = -mu f_n = -mu (y'' + g), so x' = v_x - mu (y' - v_1 + g t) and x = v_x t - mu (y - v_1 t + g t^2 / 2) in touch.
 */
export function bounce({ height, velocity: [vx, vy], ke, kd, mu }: Bounce, time: number): number[] {
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
  const vxAfter = vx - mu * (v2 - v1 + g * t2);
  const x2 = vx * (t1 + t2) - mu * (y2 - v1 * t2 + (g * t2 * t2) / 2);
  const left = time - t1 - t2;
  return [x2 + vxAfter * left, y2 + v2 * left - (g * left * left) / 2, vxAfter, v2 - g * left];
}

/** Where f falls from above 0 to below, by bisection down to rounding. */
function rootOf(f: (t: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}
