import { Link } from '@gradsim/articulated';
import { type F32, field, fieldOn, kernel, type Model, norm, type Vec3, vec2, vec3 } from '@gradsim/core';
import type { ObservedOutline } from '@gradsim/film';
import { CAMERA_PORTS } from '@gradsim/render';

/**
 * Point, m, that the camera sees in the middle of the picture of something long: pieces of it that are nearer, or less
 * foreshortened, cover more of the picture than others, by some tenths, so that the middle of the picture is not that of the thing.
 */
export const longMiddle = field('world', 'longMiddle', vec3, { unit: 'm' });

/**
 * Adds {@link longMiddle} of a thing of one width, before the plugin `projectedOutline` draws it.
 * @param ends points along it, at equal or other distances, from the positions of the scene's links.
 */
export function addLongMiddle(model: Model, ends: (position: { at(link: number): Vec3 }) => readonly Vec3[]): void {
  const { viewPosition, viewAxes } = CAMERA_PORTS;
  model.addField(longMiddle);
  model.addPass(
    'observe',
    kernel(
      'middleOfLong',
      {
        domain: 'world',
        reads: { position: fieldOn(Link.position), viewPosition, viewAxes },
        writes: { longMiddle },
      },
      ({ position, viewPosition: eye, viewAxes: axes }) => {
        const points = ends(position).map((place) => {
          const { x, y, z } = axes.at(0).mul(place.sub(eye.at(0)));
          return { place, seen: vec2(x.div(z), y.div(z)), z };
        });
        // A piece covers its length in the picture times its width, which is as 1 / z. The picture of the mean of points
        // with the weights w / z is the mean of their pictures with the weights w.
        const pieces = points.slice(1).map((to, k) => {
          const from = points[k];
          const depth = from.z.add(to.z).mul(0.5);
          return {
            place: from.place.add(to.place).mul(0.5),
            weight: norm(to.seen.sub(from.seen)).div(depth.mul(depth)),
          };
        });
        const whole = pieces.map(({ weight }) => weight).reduce((sum: F32, weight) => sum.add(weight));
        const weighed = pieces.map(({ place, weight }) => place.mul(weight)).reduce((sum, own) => sum.add(own));
        return { longMiddle: weighed.div(whole) };
      },
    ),
  );
}

/**
 * Largest error of the middle of a long thing's mask, as a part of its length: masks of fast, thin ends come and go. Origin:
 * films of ropes of 280 to 350 px, up to 5 px off from frame to frame.
 */
const MAX_MIDDLE_ERROR = 0.015;

/** Outlines of a long thing, of this length in the picture, px, with the error of the middles of such masks. */
export const longOutlines = (
  outlines: readonly (ObservedOutline | undefined)[],
  pixels: number,
): (ObservedOutline | undefined)[] =>
  outlines.map((seen) => seen && { ...seen, uncertainty: MAX_MIDDLE_ERROR * pixels });
