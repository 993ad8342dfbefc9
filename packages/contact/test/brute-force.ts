import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { plainContact } from './plain-law.ts';

/**
 * Triangles between particles without forces of their own, and loose particles, all with contact. Arrays are per
 * particle.
 */
export interface Soup {
  readonly triangles: readonly number[];
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly mass: Float64Array;
  readonly ke: Float64Array;
  readonly kd: Float64Array;
  readonly kf: Float64Array;
  readonly mu: Float64Array;
  readonly thickness: Float64Array;
}

type Point = readonly number[];
const plus = (a: Point, b: Point, s = 1): Point => a.map((x, k) => x + s * b[k]);
const minus = (a: Point, b: Point): Point => plus(a, b, -1);
const scaled = (a: Point, s: number): Point => a.map((x) => x * s);
const dot = (a: Point, b: Point): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
const length = (a: Point): number => Math.sqrt(dot(a, a));
const cross = ([a, b, c]: Point, [x, y, z]: Point): Point => [b * z - c * y, c * x - a * z, a * y - b * x];
const mixed = (w: Point, points: readonly Point[]): Point =>
  points.map((p, k) => scaled(p, w[k])).reduce((a, b) => plus(a, b));

/**
 * Returns the barycentric weights of the point of a triangle nearest to p: its projection on the plane if that lies
 * inside, else the nearest of the points nearest on the edges.
 */
export function nearestWeights(p: Point, corners: readonly Point[]): number[] {
  const [a, b, c] = corners;
  const n = cross(minus(b, a), minus(c, a));
  const inPlane = [
    [b, c],
    [c, a],
    [a, b],
  ].map(([from, to]) => dot(cross(minus(from, p), minus(to, p)), n) / dot(n, n));
  if (inPlane.every((w) => w >= 0)) return inPlane;
  const onEdges = [0, 1, 2].map((k) => {
    const [from, to] = [corners[k], corners[(k + 1) % 3]];
    const along = minus(to, from);
    const t = Math.min(1, Math.max(0, dot(minus(p, from), along) / dot(along, along)));
    const w = [0, 0, 0];
    w[k] = 1 - t;
    w[(k + 1) % 3] = t;
    return w;
  });
  const far = (w: Point): number => length(minus(p, mixed(w, corners)));
  return onEdges.reduce((best, w) => (far(w) < far(best) ? w : best));
}

/** Creates triangles of various sizes and loose particles with random velocities in a box. */
export function soup(seed: number, triangles: number, loose: number, box: number): Soup {
  const random = randomNumbers(seed);
  const within = (low: number, high: number): number => low + (high - low) * random();
  const count = 3 * triangles + loose;
  const position: number[] = [];
  const point = (around: readonly number[], size: number): number[] => around.map((x) => x + within(-size, size));
  for (let t = 0; t < triangles; t++) {
    const centre = point([0, 0, 0], box);
    const size = within(0.02, 0.15);
    for (let k = 0; k < 3; k++) position.push(...point(centre, size));
  }
  for (let k = 0; k < loose; k++) position.push(...point([0, 0, 0], box));
  const each = (low: number, high: number): Float64Array =>
    Float64Array.from({ length: count }, () => within(low, high));
  return {
    triangles: Array.from({ length: 3 * triangles }, (_, k) => k),
    position: Float64Array.from(position),
    velocity: Float64Array.from({ length: 3 * count }, () => within(-1, 1)),
    mass: each(0.1, 0.3),
    ke: each(50, 150),
    kd: each(0.05, 0.2),
    kf: each(0.1, 0.5),
    mu: each(0.2, 0.8),
    thickness: each(0.005, 0.02),
  };
}

/**
 * Reference: semi-implicit Euler with contact of every particle with every triangle of which it is no corner, by the
 * law of the contact package.
 * @returns final positions and velocities, `touches`: number of pairs in contact, summed over all substeps, and
 * `topSpeed`: largest speed of a particle after any substep, m/s.
 */
export function bruteForce(
  soup: Soup,
  substeps: number,
  dt: number,
): { position: Float64Array; velocity: Float64Array; touches: number; topSpeed: number } {
  const position = Float64Array.from(soup.position);
  const velocity = Float64Array.from(soup.velocity);
  const at = (of: Float64Array, k: number): Point => [...of.subarray(3 * k, 3 * k + 3)];
  /** Returns whether a particle is so far from a box that it cannot touch anything inside. */
  const isOutside = (p: number, low: Point, high: Point): boolean =>
    [0, 1, 2].some((axis) => {
      const [c, thickness] = [position[3 * p + axis], soup.thickness[p]];
      // What has just left still presses, up to half a displacement outside.
      const reach = thickness + 0.5 * dt * 2 * topSpeed;
      return c < low[axis] - reach || c > high[axis] + reach;
    });
  let touches = 0;
  let topSpeed = Math.max(...soup.mass.map((_, k) => length(at(velocity, k))));
  for (let n = 0; n < substeps; n++) {
    const force = new Float64Array(position.length);
    const push = (k: number, f: Point): void => f.forEach((x, axis) => (force[3 * k + axis] += x));
    for (let t = 0; t < soup.triangles.length; t += 3) {
      const corners = soup.triangles.slice(t, t + 3);
      const x = corners.map((k) => at(position, k));
      // Box around the triangle, grown by the largest thickness of its points.
      const thickest = Math.max(...corners.map((k) => soup.thickness[k]));
      const low = [0, 1, 2].map((axis) => Math.min(...x.map((corner) => corner[axis])) - thickest);
      const high = [0, 1, 2].map((axis) => Math.max(...x.map((corner) => corner[axis])) + thickest);
      for (let p = 0; p < soup.mass.length; p++) {
        if (corners.includes(p) || isOutside(p, low, high)) continue;
        const w = nearestWeights(at(position, p), x);
        const r = minus(at(position, p), mixed(w, x));
        const mean = (of: Float64Array): number => corners.reduce((sum, k, c) => sum + w[c] * of[k], 0);
        const gap = soup.thickness[p] + mean(soup.thickness) - length(r);
        const v = corners.map((k) => at(velocity, k));
        // Rows of the gradient of the weights in the triangle's plane, g_k . (x_j - x_i) = delta_kj - delta_ki.
        const n2 = cross(minus(x[1], x[0]), minus(x[2], x[0]));
        const g = [0, 1, 2].map((k) => scaled(cross(n2, minus(x[(k + 2) % 3], x[(k + 1) % 3])), 1 / dot(n2, n2)));
        const curl = g.map((gk, k) => cross(gk, v[k])).reduce((a, b) => plus(a, b));
        const halfSpin = (s: Point): Point => plus(s, n2, -dot(n2, s) / dot(n2, n2) / 2);
        const u = minus(minus(at(velocity, p), mixed(w, v)), cross(halfSpin(curl), r));
        const normal = scaled(r, 1 / length(r));
        const approach = dot(u, normal);
        const pair = (of: Float64Array): number => (of[p] + mean(of)) / 2;
        const slip = plus(u, normal, -approach);
        const speed = length(slip);
        const material = {
          ke: pair(soup.ke),
          kd: pair(soup.kd),
          kf: pair(soup.kf),
          mu: Math.sqrt(soup.mu[p] * mean(soup.mu)),
        };
        const touch = { depth: gap, leaving: approach, dt, isFirstState: n === 0 };
        const { normal: fn, friction } = plainContact(touch, speed, material);
        if (fn === 0) continue;
        touches++;
        const f = plus(scaled(normal, fn), slip, -friction / (speed || 1));
        const torque = halfSpin(cross(r, f));
        push(p, f);
        corners.forEach((k, c) => push(k, minus(scaled(f, -w[c]), cross(torque, g[c]))));
      }
    }
    for (let k = 0; k < position.length; k++) {
      velocity[k] += (dt * force[k]) / soup.mass[Math.floor(k / 3)];
      position[k] += dt * velocity[k];
    }
    for (let k = 0; k < soup.mass.length; k++) topSpeed = Math.max(topSpeed, length(at(velocity, k)));
  }
  return { position, velocity, touches, topSpeed };
}
