/**
 * A vector of three numbers. This file computes the ground truth of the films of `../shared/data/films` by the README
 * there, with event-driven motion and a pinhole camera, independently of the packages.
 */
type V3 = readonly number[];

/** Centroid of an object in a picture, px from its upper left corner, and its area in square pixels. */
export interface Shown {
  readonly x: number;
  readonly y: number;
  readonly area: number;
}

const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a: V3, b: V3): V3 => a.map((value, k) => value - b[k]);
const cross = (a: V3, b: V3): V3 =>
  [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
const unit = (a: V3): V3 => a.map((value) => value / Math.sqrt(dot(a, a)));
/** Width of the picture, px. */
const WIDTH = 320;
/** Height of the picture, px. */
const HEIGHT = 240;

function lookAt(eye: V3, target: V3, degrees: number) {
  const ahead = unit(sub(target, eye));
  const right = unit(cross(ahead, [0, 1, 0]));
  const up = cross(right, ahead);
  const scale = HEIGHT / 2 / Math.tan((degrees * Math.PI) / 360);
  return {
    scale,
    axes: (p: V3): V3 => [right, up, ahead].map((axis) => dot(sub(p, eye), axis)),
  };
}

/** Camera of `bounce.mp4`: positions in m, vertical field of view in degrees. */
export const BOUNCE_CAMERA = { eye: [0.2, 0.9, 3.2], target: [0.1, 0.55, 0], degrees: 40 } as const;

/**
 * Returns centre and area of the ball's outline, an ellipse, in every frame, and the times of its impacts, in frames.
 */
export function bounceShown(frames = 45): { shown: Shown[]; impacts: number[] } {
  const { scale, axes } = lookAt(BOUNCE_CAMERA.eye, BOUNCE_CAMERA.target, BOUNCE_CAMERA.degrees);
  const { places, impacts } = bouncing(frames);
  const r = 0.1;
  const shown = places.map((place): Shown => {
    const [X, Y, Z] = axes(place);
    const q = Z * Z - r * r;
    const [minor, major] = [r / Math.sqrt(q), (r * Math.sqrt(X * X + Y * Y + q)) / q];
    return {
      x: WIDTH / 2 + (scale * X * Z) / q,
      y: HEIGHT / 2 - (scale * Y * Z) / q,
      area: Math.PI * minor * major * scale * scale,
    };
  });
  return { shown, impacts: impacts.map((time) => 30 * time) };
}

/**
 * Motion of a solid ball with restitution 0.72 and friction 0.25, which stops its slip at an impact but never reverses
 * it.
 */
function bouncing(frames: number): { places: V3[]; impacts: number[] } {
  const [r, e, mu, g] = [0.1, 0.72, 0.25, 9.81];
  let [p, v, time]: [V3, V3, number] = [[-0.777, 1.05504, 0.0976], [1.15, 0.1538, -0.12], 0];
  // Velocity of the ball's lowest point by its spin.
  let spin = [0, 0];
  const impacts: number[] = [];
  const fly = (t: number): V3 => [p[0] + v[0] * t, p[1] + v[1] * t - (g / 2) * t * t, p[2] + v[2] * t];
  const places = Array.from({ length: frames }, (_, k) => {
    for (;;) {
      const t = (v[1] + Math.sqrt(v[1] ** 2 + 2 * g * (p[1] - r))) / g;
      if (time + t > k / 30) return fly(k / 30 - time);
      p = fly(t);
      time += t;
      impacts.push(time);
      const down = g * t - v[1];
      const slip = [v[0] + spin[0], v[2] + spin[1]];
      const speed = Math.hypot(...slip);
      const impulse = Math.min(mu * (1 + e) * down, (speed * 2) / 7);
      const [x, z] = slip.map((s) => (impulse * s) / speed);
      v = [v[0] - x, e * down, v[2] - z];
      spin = [spin[0] - 2.5 * x, spin[1] - 2.5 * z];
    }
  });
  return { places, impacts };
}

/**
 * Returns centroid and area of the outline of the box of `slide.mp4`, the convex hull of its corners, in every frame.
 */
export function slideShown(frames = 32): Shown[] {
  const { scale, axes } = lookAt([0.1, 0.75, 2.2], [0, 0.02, 0], 38);
  const columns = [
    [0.886503, -0.413383, -0.207912],
    [0.422618, 0.906308, 0],
    [0.188432, -0.087867, 0.978148],
  ];
  const [c, s] = [Math.cos((25 * Math.PI) / 180), Math.sin((25 * Math.PI) / 180)];
  return Array.from({ length: frames }, (_, k) => {
    const way = (0.4 * k) / 30 + (9.81 * (s - 0.3 * c) * (k / 30) ** 2) / 2;
    const centre = [-0.545006 + c * way, 0.298276 - s * way, 0.05];
    const corners = Array.from({ length: 8 }, (_, corner) => {
      const [a, b, d] = [corner & 1 ? 0.07 : -0.07, corner & 2 ? 0.04 : -0.04, corner & 4 ? 0.05 : -0.05];
      const [X, Y, Z] = axes(centre.map((m, i) => m + a * columns[0][i] + b * columns[1][i] + d * columns[2][i]));
      return [WIDTH / 2 + (scale * X) / Z, HEIGHT / 2 - (scale * Y) / Z];
    });
    return measure(hull(corners));
  });
}

/** Returns the convex hull of points in the plane, by Andrew's monotone chain. */
function hull(points: number[][]): number[][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (a: number[], b: number[], c: number[]) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (list: number[][]): number[][] => {
    const out: number[][] = [];
    for (const p of list) {
      while (out.length > 1 && turn(out.at(-2)!, out.at(-1)!, p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** Returns centroid and area of a polygon. */
function measure(polygon: number[][]): Shown {
  let [area, x, y] = [0, 0, 0];
  polygon.forEach(([x0, y0], k) => {
    const [x1, y1] = polygon[(k + 1) % polygon.length];
    const twice = x0 * y1 - x1 * y0;
    area += twice / 2;
    x += ((x0 + x1) * twice) / 6;
    y += ((y0 + y1) * twice) / 6;
  });
  return { x: x / area, y: y / area, area: Math.abs(area) };
}
