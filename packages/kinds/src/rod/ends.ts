import { Link } from '@gradsim/articulated';
import { median } from '@gradsim/base';
import { definePlugin, field, fieldOn, kernel, norm, type Vec3, vec3 } from '@gradsim/core';
import type { Film } from '@gradsim/film';
import { CAMERA_PORTS } from '@gradsim/render';
import type { Track } from '@gradsim/video';
import { type Bar, barIn } from '../film/bar.ts';

/**
 * Point, m, that the camera sees midway between the rod's ends. It is compared in place of the middle of the mask's area, which
 * a percent of the area that shade hides at one end displaces by a pixel, and of which a nearer half covers more.
 */
export const middleOfEnds = field('world', 'middleOfEnds', vec3, { unit: 'm' });

/**
 * Computes {@link middleOfEnds} for a rod whose pivot and middle are the first two links.
 * @param half half of the length of the rod, m.
 */
export const endsOfRod = (half: number) =>
  definePlugin({
    name: '@gradsim/kinds/rod',
    contract: 1,
    components: [Link],
    build: ({ model }) => {
      const { viewPosition, viewAxes } = CAMERA_PORTS;
      model.addField(middleOfEnds);
      model.addPass(
        'observe',
        kernel(
          'middleOfEnds',
          {
            domain: 'world',
            reads: { position: fieldOn(Link.position), viewPosition, viewAxes },
            writes: { middleOfEnds },
          },
          ({ position, viewPosition: eye, viewAxes: axes }) => {
            const middle = position.at(1);
            const away = middle.sub(position.at(0));
            const along = away.mul(half).div(norm(away));
            const [near, far] = [middle.sub(along), middle.add(along)];
            const depth = (place: Vec3) => axes.at(0).mul(place.sub(eye.at(0))).z;
            // The picture of the mean of points with the weights 1 / z is the mean of their pictures.
            const [a, b] = [depth(far), depth(near)];
            return { middleOfEnds: near.mul(a).add(far.mul(b)).div(a.add(b)) };
          },
        ),
      );
    },
  });

/**
 * Part of the stated error of middles that a film may show: what masks make of light and blur comes again in each swing. Origin:
 * films of known truth, where middles are 0.1 to 0.3 px off, alike in neighbouring frames.
 */
export const LEAST_SHARE = 0.5;

/**
 * Measures a rod's masks.
 * @param pixelsPerMetre pixels of a metre in the plane of its swing.
 * @returns its outlines, frame by frame, about the middle between its ends, and usual halves of its length and width, m.
 */
export function barsOf(film: Film, { points }: Track, pixelsPerMetre: number) {
  const bars = Array<Bar | undefined>(film.count).fill(undefined);
  for (const point of points) if (point.blob?.isWhole) bars[point.frame] = barIn(film, point);
  const half = (of: 'length' | 'width'): number => median(bars.flatMap((bar) => (bar ? [bar[of]] : []))) / 2;
  const [length, size] = [half('length'), half('width')];
  const outlines = bars.map((bar) => bar && { x: bar.x, y: bar.y, size });
  return { outlines, half: length / pixelsPerMetre, radius: size / pixelsPerMetre };
}
