import { dot } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import type { NamedValues, ParameterSpec, TieSpec } from '@gradsim/optim';
import type { PlacedCamera } from './measured-camera.ts';
import type { FilmScale } from './measured-scale.ts';
import { focalPart, rayOutwards } from './ray-outwards.ts';
import type { V3 } from './starts/path.ts';
import { vectorUnknowns } from './starts/unknowns.ts';

/** Natural step of a place, m, and of a ray, as a part of the depth. */
const [LENGTH, RAY] = [0.05, 0.05];

/** Options of {@link placeUnknowns}. */
export interface PlaceOptions {
  /** Name of the unknowns, to which ` x`, or ` right`, and the like are added. */
  readonly name: string;
  /** Field of the place, and the element that is set. Default 0. */
  readonly field: FieldKey;
  readonly element?: number;
  /** Place at which the search starts, m. */
  readonly position: V3;
  /** Name of the unknown turn of the marked plane about the vertical, rad. Default: it is not turned. */
  readonly turn?: string;
  /** True if its place to the sides is not looked for. Default false. */
  readonly isUpright?: boolean;
}

/**
 * Unknowns of a fixed place in a film. Of a camera whose position is known, they are its three coordinates. Of another
 * they are what the picture shows: where it is in the picture, as a ray, and its depth by the focal length that was
 * assumed; its coordinates would follow the unknown tilt and focal length along curves, in small steps of a search. If a
 * length is marked, its plane gives the depth.
 *
 * ```ts
 * const place = placeUnknowns(camera, scale, { name: 'place', field: Link.anchor, position });
 * ```
 */
export function placeUnknowns(
  camera: PlacedCamera,
  scale: FilmScale,
  { name, field, element = 0, position, turn, isUpright = false }: PlaceOptions,
): { readonly parameters: readonly ParameterSpec[]; readonly ties: readonly TieSpec[] } {
  const elements = [element];
  if (camera.isPlaced) {
    const [x, y, z] = vectorUnknowns(name, field, position, LENGTH).map((spec) => ({ ...spec, elements }));
    return { parameters: isUpright ? [y, z] : [x, y, z], ties: [] };
  }
  const [across, up, depth] = camera.view.axes(position);
  const [right, height, away] = ['right', 'up', 'away'].map((way) => `${name}, ${way}`);
  const { distance } = scale;
  const at = (v: NamedValues): number[] => {
    const ray = rayOutwards(camera, v)([isUpright ? across / depth : v[right], v[height]]);
    const turned = turn === undefined ? 0 : v[turn];
    const far = distance
      ? -distance(v, turned) / dot(ray, [Math.sin(turned), 0, Math.cos(turned)])
      : v[away] * focalPart(camera, v);
    return ray.map((c) => far * c);
  };
  return {
    parameters: [
      ...(isUpright ? [] : [{ name: right, initial: across / depth, scale: RAY }]),
      { name: height, initial: up / depth, scale: RAY },
      ...(distance ? [] : [{ name: away, initial: depth, scale: LENGTH, unit: 'm' }]),
    ],
    ties: [{ field, elements, compute: at }],
  };
}
