import { DIRECTIONS } from './reach.ts';

/** A circle in a picture, px. */
interface Circle {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Circle through most of the points of a rim, and the part of them that it runs through. */
export interface RimCircle extends Circle {
  readonly share: number;
}

/**
 * Finds the circle on which most points of an outline's rim lie: of those through three of the points, the one within a
 * tolerance of most, then the least-squares fit to these (M. Fischler and R. Bolles, 1981, with all triples). It is the
 * ball's also where up to half of its mask's rim is not.
 *
 * @param reaches distances of the rim from the point, in all {@link DIRECTIONS}, px.
 * @param tolerance distance of a point from the circle up to which it lies on it, px.
 */
export function circleOfRim(
  { x, y, reaches }: { readonly x: number; readonly y: number; readonly reaches: readonly number[] },
  tolerance: number,
): RimCircle | undefined {
  const points = DIRECTIONS.map(([u, v], k) => [reaches[k] * u, reaches[k] * v] as const);
  const onRim = (circle: Circle): (readonly [number, number])[] =>
    points.filter(([a, b]) => Math.abs(Math.hypot(a - circle.x, b - circle.y) - circle.size) < tolerance);
  let best: Circle | undefined;
  let most = 0;
  for (let i = 2; i < points.length; i++)
    for (let j = 1; j < i; j++)
      for (let k = 0; k < j; k++) {
        const circle = circleThrough([points[i], points[j], points[k]]);
        const count = circle ? onRim(circle).length : 0;
        if (count > most) [best, most] = [circle, count];
      }
  const found = best && (circleThrough(onRim(best)) ?? best);
  return found && { x: x + found.x, y: y + found.y, size: found.size, share: onRim(found).length / points.length };
}

/** Least-squares circle through three points or more: x^2 + y^2 = 2 a x + 2 b y + c (I. Kasa, 1976); undefined of points in a line. */
function circleThrough(points: readonly (readonly [number, number])[]): Circle | undefined {
  const mean = (of: (x: number, y: number) => number): number =>
    points.reduce((sum, [x, y]) => sum + of(x, y) / points.length, 0);
  const [x, y] = [mean((a) => a), mean((_, b) => b)];
  const about = (of: (u: number, v: number) => number): number => mean((a, b) => of(a - x, b - y));
  const [uu, uv, vv] = [about((u) => u * u), about((u, v) => u * v), about((_, v) => v * v)];
  const [uz, vz] = [about((u, v) => u * (u * u + v * v)), about((u, v) => v * (u * u + v * v))];
  const determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-6 * (uu + vv) ** 2)) return undefined;
  const [a, b] = [(uz * vv - vz * uv) / (2 * determinant), (vz * uu - uz * uv) / (2 * determinant)];
  return { x: x + a, y: y + b, size: Math.sqrt(a * a + b * b + uu + vv) };
}
