import type { BuildContext } from '@gradsim/core';
import { restPositionOf } from '@gradsim/particles';
import { Hinge, Triangle } from './components.ts';

/** Below this part of the square of its longest edge, an area is taken as none: single precision could not hold it. */
const FLAT = 1e-6;

type Point = ArrayLike<number>;
const minus = (a: Point, b: Point): number[] => [0, 1, 2].map((k) => a[k] - b[k]);
const cross = (a: Point, b: Point): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Point): number => Math.sqrt(dot(a, a));

/** The angle of a hinge (x1, x2, x3, x4), rad: 0 where both triangles lie in a plane, or the edge has no length. */
export function angleOf([x1, x2, x3, x4]: readonly Point[]): number {
  const e = minus(x4, x3);
  const n1 = cross(minus(x3, x1), minus(x4, x1));
  const n2 = cross(minus(x4, x2), minus(x3, x2));
  return Math.atan2(dot(e, cross(n1, n2)) / (length(e) || 1), dot(n1, n2));
}

/** @throws when a triangle has no area in its rest shape, or a hinge names a particle twice, with its number. */
export function checkRestShapes({ scene, entities }: BuildContext): void {
  entities(Triangle).forEach((entity, number) => {
    const [a, b, c] = Array.from(scene.get(entity, Triangle, 'vertices'), (p) => restPositionOf(scene, p));
    const twice = length(cross(minus(b, a), minus(c, a)));
    const longest = Math.max(length(minus(b, a)), length(minus(c, b)), length(minus(a, c)));
    if (twice > FLAT * longest ** 2) return;
    throw new Error(
      `${scene.describe(entity)}: element ${number} of triangles has no area in its rest shape (${(twice / 2).toPrecision(3)} m^2, longest edge ${longest.toPrecision(3)} m); move one of its vertices.`,
    );
  });
  entities(Hinge).forEach((entity, number) => {
    const vertices = Array.from(scene.get(entity, Hinge, 'vertices'));
    const twice = vertices.find((vertex, k) => vertices.indexOf(vertex) !== k);
    if (twice === undefined) return;
    throw new Error(
      `${scene.describe(entity)}: hinges.vertices of element ${number} names ${scene.describe(twice)} twice; a hinge has four particles.`,
    );
  });
}
