import type { FilmCamera } from '../../film-camera.ts';
import { DIRECTIONS } from '../../outlines/reach.ts';
import { BALL } from '../../tuning/ball.ts';
import type { Canvas } from '../canvas.ts';
import { instantsOf, type PartSeen } from '../parts.ts';

/**
 * State of a ball in a picture, px: the middle of its outline; its size, the square root of the outline's area over pi;
 * and its displacement while the shutter is open.
 */
export interface BallState {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly blur: readonly [right: number, down: number];
}

/** Half axes of an elliptic outline, px, along and across a unit direction in the picture. */
export interface Ellipse {
  readonly semiAxisAlong: number;
  readonly semiAxisAcross: number;
  readonly direction: readonly [number, number];
}

/**
 * Ellipse of a ball's outline, elongated in the direction away from the picture's principal point: with (X, Y, Z) the
 * ball's centre, r its radius in the camera's axes and q = Z^2 - r^2, the ratio of its axes is sqrt(1 + (X^2 + Y^2) /
 * q). r^2 is neglected, since balls are distant compared with their size.
 */
export function ellipseOf({ x, y, size }: Pick<BallState, 'x' | 'y' | 'size'>, camera: FilmCamera): Ellipse {
  const [right, up] = camera.ray(x, y);
  const away = Math.hypot(right, up);
  const root = Math.sqrt(Math.hypot(1, away));
  return {
    semiAxisAlong: size * root,
    semiAxisAcross: size / root,
    direction: away > 0 ? [right / away, -up / away] : [1, 0],
  };
}

const DEGREE = BALL.lightDegree;
/** Number of monomials in two variables up to the degree `DEGREE`. */
const POWERS = ((DEGREE + 1) * (DEGREE + 2)) / 2;
/** Ridges of the monomials but the first, in the order in which they are drawn. */
const RIDGES = Array.from({ length: DEGREE + 1 }, (_, i) =>
  Array.from({ length: DEGREE + 1 - i }, (_, j) => BALL.lightRidges[i + j]),
)
  .flat()
  .slice(1);

/**
 * Picture of a ball in an exposure: a sum of light patterns, the monomials of the two coordinates in the picture, and
 * the third coordinate of the sphere, as for diffuse reflection.
 *
 * @param rim `soft`: width over which the rim is drawn, px, 1 for an anti-aliased rim; with `coversAlone` there are no
 * patterns.
 */
export function ballSeen(
  state: BallState,
  camera: FilmCamera,
  canvas: Canvas,
  { soft, coversAlone }: { readonly soft: number; readonly coversAlone: boolean },
): PartSeen[] {
  const { cut, drawn } = canvas;
  const { size, blur } = state;
  const { semiAxisAlong, semiAxisAcross, direction } = ellipseOf(state, camera);
  const [u, v] = direction;
  const count = instantsOf(Math.hypot(...blur));
  const sums = Array.from({ length: coversAlone ? 1 : POWERS + 1 }, () => canvas.sheet());
  const dome = sums[POWERS];
  const reach = semiAxisAlong + soft / 2 + 1;
  for (let k = 0; k < count; k++) {
    const part = (k + 0.5) / count - 0.5;
    const [x, y] = [state.x + part * blur[0] - cut.left, state.y + part * blur[1] - cut.top];
    const [top, bottom] = [Math.max(0, Math.floor(y - reach)), Math.min(cut.height, Math.ceil(y + reach))];
    const [left, right] = [Math.max(0, Math.floor(x - reach)), Math.min(cut.width, Math.ceil(x + reach))];
    for (let row = top; row < bottom; row++) {
      const b = row + 0.5 - y;
      for (let column = left; column < right; column++) {
        const at = row * cut.width + column;
        if (drawn && drawn[at] === 0) continue;
        const a = column + 0.5 - x;
        const p = (a * u + b * v) / semiAxisAlong;
        const q = (b * u - a * v) / semiAxisAcross;
        // Math.hypot takes several times as long.
        const far = Math.sqrt(p * p + q * q);
        // The distance to the rim, along the ray from the middle.
        const depth = far > 0 ? (1 / far - 1) * Math.sqrt(a * a + b * b) : size;
        if (depth <= -soft / 2) continue;
        const inside = Math.min(depth / soft + 0.5, 1) / count;
        if (coversAlone) {
          sums[0][at] += inside;
          continue;
        }
        const s = a / size;
        const t = b / size;
        let own = inside;
        for (let i = 0, m = 0; i <= DEGREE; i++) {
          let light = own;
          for (let j = 0; j <= DEGREE - i; j++) {
            sums[m++][at] += light;
            light *= t;
          }
          own *= s;
        }
        if (far < 1) dome[at] += inside * Math.sqrt(1 - far * far);
      }
    }
  }
  const [cover, ...patterns] = sums;
  const few = fewPixels(size);
  return [{ cover, patterns, ridges: [...RIDGES.map((ridge) => (1 + few) * ridge), BALL.few.dome * few] }];
}

/** Measure of how much smaller a ball is than one whose light its pixels tell from its size: 0 of those, 1 of one half as large. */
export const fewPixels = (size: number): number => Math.max(0, BALL.few.below / size - 1);

/** Distances from the middle of a ball's outline to its rim in each of {@link DIRECTIONS}, px. */
export function reachesOfBall(state: Pick<BallState, 'x' | 'y' | 'size'>, camera: FilmCamera): number[] {
  const { semiAxisAlong, semiAxisAcross, direction } = ellipseOf(state, camera);
  const [u, v] = direction;
  return DIRECTIONS.map(([a, b]) => 1 / Math.hypot((a * u + b * v) / semiAxisAlong, (b * u - a * v) / semiAxisAcross));
}
