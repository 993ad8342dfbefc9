import type { BuildContext } from '@gradsim/core';
import { restPositionOf } from '@gradsim/particles';
import { Tet } from './tet.ts';

/** Below this part of the cube of its longest edge, a volume is taken as none: single precision could not hold it. */
const FLAT = 1e-6;

/** Six times the volume of a tetrahedron, and its longest edge. */
export function tetSize(corners: readonly ArrayLike<number>[]): { sixVolume: number; longest: number } {
  const minus = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => [0, 1, 2].map((k) => a[k] - b[k]);
  const [a, b, c] = [1, 2, 3].map((k) => minus(corners[k], corners[0]));
  const sixVolume =
    a[0] * (b[1] * c[2] - b[2] * c[1]) +
    a[1] * (b[2] * c[0] - b[0] * c[2]) +
    a[2] * (b[0] * c[1] - b[1] * c[0]);
  let longest = 0;
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < i; j++) longest = Math.max(longest, Math.hypot(...minus(corners[i], corners[j])));
  return { sixVolume, longest };
}

/** @throws when an element is inverted or flat in its rest shape, with its number. */
export function checkRestShapes({ scene, entities }: BuildContext): void {
  entities(Tet).forEach((entity, number) => {
    const corners = Array.from(scene.get(entity, Tet, 'vertices'), (particle) =>
      restPositionOf(scene, particle),
    );
    const { sixVolume, longest } = tetSize(corners);
    if (sixVolume > FLAT * longest ** 3) return;
    const isFlat = sixVolume >= -FLAT * longest ** 3;
    const what = isFlat ? 'flat' : 'inverted';
    const mend = isFlat ? 'move a vertex out of the plane of the others' : 'swap two of its vertices';
    throw new Error(
      `${scene.describe(entity)}: element ${number} of tets is ${what} in its rest shape, with volume ${(sixVolume / 6).toPrecision(3)} m^3; ${mend}.`,
    );
  });
}
