import { exp, f32, kernel, select } from '@gradsim/core';
import { inPicture, placeOf } from '@gradsim/render';
import { defineRenderer, distance2Of, FACES_OF_PIXEL, nearestOf, overFaces } from '@gradsim/render/raster';
import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';

interface FadeOptions {
  readonly softness?: number;
  readonly tone?: 'light' | 'dark';
}

const radius = ({ softness }: Required<FadeOptions>) => Math.sqrt(9 * softness);

/** The example renderer of the README. */
const { plugin: fade } = defineRenderer<FadeOptions>({
  name: 'render-fade',
  called: 'fade',
  defaults: { softness: 1e-4, tone: 'light' },
  allowed: { softness: 'positive', tone: ['light', 'dark'] },
  radius,
  silhouette: ({ shape, settings }) =>
    kernel('fade', { domain: 'pixels', reads: FACES_OF_PIXEL, writes: { alpha: f32 } }, (fields, { element }) => {
      const place = placeOf(shape.layout, element);
      const { open } = overFaces(shape, radius(settings), fields, place, { open: f32(1) }, (_, meeting, sums) => {
        const { triangle, heights, fromCorner, barycentric } = meeting;
        const distance2 = distance2Of(nearestOf(triangle, heights, fromCorner));
        const covered = select(barycentric.inside, f32(1), exp(distance2.mul(-1 / settings.softness)));
        return { open: sums.open.mul(f32(1).sub(covered)) };
      });
      return { alpha: inPicture(shape.layout, place, f32(1).sub(open)) };
    }),
});

it('defineRenderer makes a renderer of one kernel that passes checkRenderer', async () => {
  const drawings = ['silhouette'] as const;
  const { gradients } = await checkRenderer((options) => fade({ ...options, softness: 1e-3 }), {
    sharp: fade,
    drawings,
    seed: 11,
  });
  expect(Object.keys(gradients).length).toBeGreaterThan(3);
});

it.each([
  [{ drawings: ['color'] }, { code: 'base/unknown-choice', values: ['"color"'] }],
  [{ softness: 0 }, { code: 'render/option-out-of-range', values: [0] }],
  [{ tone: 'grey' }, { code: 'base/unknown-choice', values: ['"grey"'] }],
  [{ softnes: 1 }, { code: 'base/unknown-option', values: ['"softnes"', 'fade'] }],
  [
    { near: 2, far: 1 },
    { code: 'render/option-out-of-range', values: ['(1)', '(2)', 'fade'] },
  ],
])('a defined renderer refuses unknown options and invalid values: %o', (options, expected) => {
  expect(() => fade(options as Parameters<typeof fade>[0])).toThrowCode(expected);
});
