import { exp, f32, kernel, select, u32, when } from '@gradsim/core';
import { inPicture, placeOf } from '@gradsim/render';
import {
  defineRenderer,
  depthOf,
  distance2Of,
  FACES_OF_PIXEL,
  nearestEdgePoint,
  noFace,
  overFaces,
  pixelOnFace,
  TRIANGLE_OF_FACE,
} from '@gradsim/render/raster';
import { checkRenderer } from '@gradsim/render/testing';
import { expect, it } from 'vitest';

interface FadeOptions {
  readonly softness?: number;
  readonly tone?: 'light' | 'dark';
}

const deviceReach = ({ softness }: Required<FadeOptions>) => Math.sqrt(9 * softness);

/** The example renderer of the README. */
const { plugin: fade } = defineRenderer<FadeOptions>({
  name: 'render-fade',
  functionName: 'fade',
  defaults: { softness: 1e-4, tone: 'light' },
  allowed: { softness: 'positive', tone: ['light', 'dark'] },
  deviceReach,
  silhouette: ({ shape, settings }) =>
    kernel('fade', { domain: 'pixels', reads: FACES_OF_PIXEL, writes: { alpha: f32 } }, (fields, { element }) => {
      const place = placeOf(shape.layout, element);
      const { open } = overFaces(shape, deviceReach(settings), fields, place, { open: f32(1) }, (_, meeting, sums) => {
        const { triangle, heights, fromCorner, barycentric } = meeting;
        const distance2 = distance2Of(nearestEdgePoint(triangle, heights, fromCorner));
        const covered = select(barycentric.inside, f32(1), exp(distance2.mul(-1 / settings.softness)));
        return { open: sums.open.mul(f32(1).sub(covered)) };
      });
      return { alpha: inPicture(shape.layout, place, f32(1).sub(open)) };
    }),
});

it('defineRenderer makes a renderer of one kernel that passes checkRenderer', async () => {
  const drawings = ['silhouette'] as const;
  const { gradients } = await checkRenderer((options) => fade({ ...options, softness: 1e-3 }), {
    createSharp: (options) => fade({ ...options, softness: 1e-9 }),
    drawings,
    seed: 11,
  });
  expect(Object.keys(gradients).length).toBeGreaterThan(3);
});

/** A renderer of depths alone, of the nearest face. `error`, m, is added to them. */
const { plugin: ranging } = defineRenderer<{ readonly error?: number }>({
  name: 'render-depth',
  functionName: 'ranging',
  defaults: { error: 0 },
  deviceReach: () => 0,
  findsNearest: true,
  depth: ({ shape, settings }) =>
    kernel(
      'range',
      { domain: 'pixels', reads: { shown: u32, ...TRIANGLE_OF_FACE }, writes: { depth: f32 } },
      ({ shown, ...fields }, { element }) => {
        const place = placeOf(shape.layout, element);
        const depth = when(
          shown.lt(noFace(shape)),
          () => {
            const { triangle, barycentric } = pixelOnFace(shape, fields, shown, place);
            return depthOf(triangle, barycentric).z.add(settings.error);
          },
          () => f32(settings.far),
        );
        return { depth: inPicture(shape.layout, place, depth) };
      },
    ),
});

it('a renderer of depths alone passes checkRenderer, and fails it with depths 2 cm off, or faces that are not there', async () => {
  const check = { drawings: ['depth'], seed: 11 } as const;
  const { sharpDifferences } = await checkRenderer(ranging, { ...check, createSharp: ranging });
  expect(sharpDifferences.depth).toBeLessThan(1 / 255);
  for (const wrong of [{ error: 0.02 }, { far: 2 }])
    await expect(
      checkRenderer(ranging, { ...check, createSharp: (options) => ranging({ ...options, ...wrong }) }),
    ).rejects.toThrowCode({ code: 'render/renderer-differs', values: ['depth', /\d\.\d+/] });
});

it('a renderer without colours draws what it can unless told otherwise', () => {
  expect([fade(), ranging()].map(({ name }) => name)).toEqual(['render-fade', 'render-depth']);
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
