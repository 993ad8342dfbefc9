import type { FilmCamera } from '../film-camera.ts';

/** Centre of a ball's outline, px, and its area, px^2. */
export interface SeenBall {
  readonly x: number;
  readonly y: number;
  readonly area: number;
}

/**
 * Outline of a ball, an ellipse, whose centre is not the image of the ball's centre. With (X, Y, Z) the ball's centre
 * in the camera's axes, r the radius and q = Z^2 - r^2, the ellipse on the plane of depth 1 has the centre Z (X, Y) / q
 * and the half axes r / sqrt(q) and r sqrt(X^2 + Y^2 + q) / q.
 */
export function seenBall(camera: FilmCamera, centre: readonly number[], radius: number): SeenBall {
  const [X, Y, Z] = camera.axes(centre);
  const q = Z * Z - radius * radius;
  const [across, up] = [(X * Z) / q, (Y * Z) / q];
  const [x, y] = camera.pixel(across, up);
  // Pixels to a unit of the plane of depth 1, here.
  const step = 1e-4;
  const [right, above] = [camera.pixel(across + step, up), camera.pixel(across, up + step)];
  const scale = Math.abs((right[0] - x) * (above[1] - y) - (right[1] - y) * (above[0] - x)) / step ** 2;
  const area = (Math.PI * scale * radius * radius * Math.sqrt(X * X + Y * Y + q)) / q ** 1.5;
  return { x, y, area };
}
