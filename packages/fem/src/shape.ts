import type { BuildContext } from '@gradsim/core';
import { longestEdge, tetVolume } from '@gradsim/mesh';
import { restPositionOf } from '@gradsim/particles';
import { Tet } from './tet.ts';

/** Below this part of the cube of its longest edge, a volume is taken as none: single precision could not hold it. */
const FLAT = 1e-6 / 6;

/** @throws when an element is inverted or flat in its rest shape, with its number. */
export function checkRestShapes({ scene, entities }: BuildContext): void {
  entities(Tet).forEach((entity, number) => {
    const corners = Array.from(scene.get(entity, Tet, 'vertices'), (p) => restPositionOf(scene, p));
    const [volume, least] = [tetVolume(corners), FLAT * longestEdge(corners) ** 3];
    if (volume > least) return;
    const isFlat = volume >= -least;
    const what = isFlat ? 'flat' : 'inverted';
    const mend = isFlat ? 'move a vertex out of the plane of the others' : 'swap two of its vertices';
    throw new Error(
      `${scene.describe(entity)}: element ${number} of tets is ${what} in its rest shape, with volume ${volume.toPrecision(3)} m^3; ${mend}.`,
    );
  });
}
