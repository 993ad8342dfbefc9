import type { F32 } from '@gradsim/core';
import { f32, fieldOn, forRange, GradsimError, kernel, refuseUnknownOptions, select, several } from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';
import { refuseCount, refuseNumber } from './controller-input.ts';

export interface ImageInputOptions {
  /** Width of the image, px. */
  readonly width: number;
  readonly height: number;
  /** Observed quantities, in order: centroid `x`, `y`, and covered fraction `covered`. Default: these three. */
  readonly outputs?: readonly ('x' | 'y' | 'covered')[];
  /** Point that is subtracted from the centroid before it is multiplied by `scale`. Default [0, 0]; `scale` 1. */
  readonly from?: readonly [x: number, y: number];
  readonly scale?: number;
}

/**
 * Controller input: the centroid and covered fraction of an image that is constant over a run, such as a goal. The
 * centroid has x to the right and y up, each from -1 to 1 between opposite edges; it is (0, 0) for an empty image. The
 * covered fraction is the mean of all pixels.
 *
 * The image is a field that the program sets for each world: `alpha` of a domain named after the input, for example
 * `gaitSight0Pixels.alpha` for the first input of a controller `gait`. Its values are in [0, 1], row by row from the
 * top left, and initially 0.
 *
 * ```ts
 * const inputs = [sinusoidInput({ frequency: 2 }), imageInput({ width: 32, height: 32 })];
 * ```
 * @throws for an image without pixels, an unknown output, and a number that is not finite.
 */
export function imageInput(options: ImageInputOptions): ControllerInput {
  refuseUnknownOptions<ImageInputOptions>('image', options, {
    width: true,
    height: true,
    outputs: true,
    from: true,
    scale: true,
  });
  const { width, height, outputs = ['x', 'y', 'covered'], from = [0, 0], scale = 1 } = options;
  refuseCount('The width of an image', width, 1);
  refuseCount('The height of an image', height, 1);
  refuseNumber('Where x of an image is counted from', from[0], 'be finite');
  refuseNumber('Where y of an image is counted from', from[1], 'be finite');
  refuseNumber('The scale of an image', scale, 'be finite');
  const other = outputs.find((name) => !['x', 'y', 'covered'].includes(name));
  if (other !== undefined || outputs.length === 0)
    throw new GradsimError(
      'control/unknown-choice',
      `Of an image x, y and covered can be seen, and not ${other ?? 'nothing'}.`,
    );
  return {
    add: (model, domain) => {
      const [pixels, place] = [`${domain}Pixels`, `${domain}Place`];
      model.addDomain(domain, outputs.length);
      model.addDomain(place, 1);
      model.addDomain(pixels, width * height);
      model.addField(pixels, 'alpha', f32, { fill: 0 });
      const look = kernel(
        `imageOf_${domain}`,
        {
          domain: place,
          reads: { alpha: fieldOn(pixels, f32) },
          writes: { value: several(domain, f32, outputs.length) },
        },
        ({ alpha }) => {
          const sum = (weight: (x: F32, y: F32) => F32): F32 =>
            forRange(0, width * height, f32(0), (k, so) => {
              const row = k.div(width);
              const x = k
                .sub(row.mul(width))
                .toF32()
                .add(0.5)
                .mul(2 / width)
                .sub(1);
              const y = f32(1).sub(
                row
                  .toF32()
                  .add(0.5)
                  .mul(2 / height),
              );
              return so.add(alpha.at(k).mul(weight(x, y)));
            });
          const covered = sum(() => f32(1));
          const isEmpty = covered.eq(0);
          const over = select(isEmpty, f32(1), covered);
          const along = (middle: F32, start: number): F32 =>
            select(isEmpty, f32(0), middle.div(over).sub(start).mul(scale));
          const seen = {
            x: () =>
              along(
                sum((x) => x),
                from[0],
              ),
            y: () =>
              along(
                sum((_, y) => y),
                from[1],
              ),
            covered: () => covered.div(width * height),
          };
          return { value: outputs.map((name) => seen[name]()) };
        },
      );
      model.addPass('setup', look);
    },
  };
}
