// Films of a ball that are drawn here, by a path that is given, and what the kind finds in them.
import type { Estimate } from '@gradsim/optim';
import type { FilmSource } from '@gradsim/video';
import { ball } from '../../src/ball/index.ts';
import type { Kind } from '../../src/index.ts';
import * as films from './films.ts';

export { RATE } from './films.ts';

/** What a kind finds in a film. Gravity is unknown. */
export const found = (
  video: FilmSource,
  measured: Readonly<Record<string, string>>,
  kind: Kind = ball as unknown as Kind,
): Promise<Estimate> => films.found(kind, video, { gravity: 'null', ...measured });

/** Distance of the ball from the camera, radius, height above the floor, m, and speed to the side, m/s. */
const AWAY = 3;
export const [RADIUS, HEIGHT, SPEED] = [0.1, 0.75, 0.7];
export const [G, RESTITUTION] = [9.81, 0.72];
export const FIELD_OF_VIEW = 40;
const PIXELS = films.SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / AWAY;

/** Step of the integration, s. */
const STEP = 1e-5;

/**
 * Path of a ball that air brakes by `drag` times its squared speed, and that bounces at height 0, by small steps of its
 * equation of motion, which share nothing with the model.
 *
 * @returns a function from time, s, to how far it is to the side, and its lowest point's height, m.
 */
export function pathInAir(
  drag: number,
  start: { readonly height: number; readonly velocity: readonly [number, number] },
  seconds: number,
): (time: number) => readonly [number, number] {
  let [x, y, vx, vy] = [0, start.height, ...start.velocity];
  const places: [number, number][] = [[x, y]];
  while (places.length * STEP < seconds + 0.1) {
    const speed = Math.hypot(vx, vy);
    const [ax, ay] = [-drag * speed * vx, -G - drag * speed * vy];
    x += STEP * (vx + (STEP * ax) / 2);
    y += STEP * (vy + (STEP * ay) / 2);
    vx += STEP * ax;
    vy += STEP * ay;
    if (y < 0 && vy < 0) [y, vy] = [-RESTITUTION * y, -RESTITUTION * vy];
    places.push([x, y]);
  }
  return (time) => places[Math.round(time / STEP)];
}

/**
 * Pictures of the ball at given times, s.
 *
 * @param placeAt how far it is to the side at a time, and its lowest point above the floor, m.
 */
export function filmed(
  times: readonly number[],
  placeAt: (time: number) => readonly [number, number],
): Promise<Uint8Array> {
  const { width, height } = films.SIZE;
  const at = (time: number): readonly [number, number] => {
    const [side, up] = placeAt(time);
    return [width / 2 + PIXELS * (side - 0.5), height / 2 - PIXELS * (RADIUS + up - 0.45)];
  };
  return films.filmed(times, { radius: RADIUS * PIXELS, at });
}
