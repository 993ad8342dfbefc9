import type { Model } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { FunctionLoss } from '@gradsim/optim';
import type { ImageLayout } from '@gradsim/render';
import { layoutOf, Pixel, pixelIndex } from '@gradsim/render';
import { gaussianBlur } from './blur.ts';

/** Target picture: the fraction of each pixel that the object covers, in [0, 1], row by row from the top. */
export interface GoalImage {
  readonly width: number;
  readonly height: number;
  readonly alpha: ArrayLike<number>;
  /** Name in messages: the file name. */
  readonly name?: string;
}

export interface GoalImageOptions {
  /** Target pictures, with their frame numbers, counted from 0. */
  readonly images: readonly { readonly frame: number; readonly image: GoalImage }[];
  /** Weight of this loss in the total loss. Default 1. */
  readonly weight?: number;
  /** Factor of the shape term; that of the centroid term is 1. Default 0.05. */
  readonly shape?: number;
  /**
   * Standard deviation of the Gaussian blur applied to both pictures for the shape term, in picture widths. Default
   * 0.06.
   */
  readonly blur?: number;
  /** Name of the loss in results. Default `goal image`. */
  readonly name?: string;
}

const OPTIONS = { images: true, weight: true, shape: true, blur: true, name: true };

/**
 * Loss that compares the run's masks with target pictures, summed over the pictures. For each: the squared distance
 * between the centroids of the covered areas, in picture widths, plus `shape` times the sum of squared differences of
 * the blurred pictures, divided by the sum of squares of the blurred target. The centroid term has a gradient wherever
 * the object is; the shape term has none that helps while the two do not overlap. The loss is 0 for equal pictures, and
 * infinite if the run's picture is empty.
 *
 * ```ts
 * const losses = [goalImages(model, { images: [{ frame: frames - 1, image }] })];
 * ```
 * @param model a model with one camera, rendered with a mask.
 * @throws for an image of another size or an empty one, and for an invalid option.
 */
export function goalImages(model: Model, options: GoalImageOptions): FunctionLoss<'rgba'> {
  refuseUnknownOptions<GoalImageOptions>('goalImages', options, OPTIONS);
  const { images, weight = 1, shape = 0.05, blur = 0.06, name = 'goal image' } = options;
  const layout = layoutOf(model);
  if (!(images?.length > 0)) throw new GradsimError('control/no-images', `The loss ${name} has no images.`);
  if (!(shape >= 0 && blur > 0))
    throw new GradsimError('control/option-out-of-range', `The loss ${name} has shape ${shape} and blur ${blur}.`, {
      hint: 'They must be at least 0, and above 0.',
    });
  const goals = images.map(({ frame, image }) => {
    const what = `The goal image ${image.name === undefined ? '' : `${image.name} `}at frame ${frame}`;
    refuseOtherSize(what, image, layout);
    const moments = momentsOf(image.alpha, layout);
    if (!(moments.area > 0))
      throw new GradsimError('control/nothing-shown', `${what} is empty.`, { hint: 'It must show something.' });
    const soft = gaussianBlur(image.alpha, layout, blur * layout.width);
    return { frame, what, alpha: image.alpha, moments, square: soft.reduce((sum, a) => sum + a * a, 0) };
  });
  const elements = pixelsInRows(layout);
  const at = (frame: number, pixel: number): number => (frame * layout.pixels + elements[pixel]) * 4 + 3;
  return {
    name,
    weight,
    recordedFields: { rgba: Pixel.rgba },
    evaluate({ rgba }, { frames }) {
      const gradient = new Float64Array(rgba.length);
      let value = 0;
      for (const goal of goals) {
        if (!(Number.isInteger(goal.frame) && goal.frame >= 0 && goal.frame < frames))
          throw new GradsimError(
            'control/no-such-frame',
            `${goal.what} is none of the ${frames} frames, 0 to ${frames - 1}.`,
          );
        const alpha = Float64Array.from(elements, (_, pixel) => rgba[at(goal.frame, pixel)]);
        const seen = compare(alpha, goal, layout, { shape, blur });
        value += seen.value;
        seen.gradient.forEach((g, pixel) => {
          gradient[at(goal.frame, pixel)] += g;
        });
      }
      return { value, gradient: { rgba: gradient } };
    },
  };
}

/** Covered area of a picture, px^2, and the centroid of it. */
interface Moments {
  readonly area: number;
  readonly x: number;
  readonly y: number;
}
interface Goal {
  readonly alpha: ArrayLike<number>;
  readonly moments: Moments;
  readonly square: number;
}

/** Covered area, px^2, below which a picture counts as empty. */
const MIN_AREA = 1e-3;

function compare(
  alpha: Float64Array,
  goal: Goal,
  layout: ImageLayout,
  { shape, blur }: { readonly shape: number; readonly blur: number },
): { value: number; gradient: Float64Array } {
  const { width } = layout;
  const { area, x, y } = momentsOf(alpha, layout);
  if (!(area > MIN_AREA)) return { value: Number.POSITIVE_INFINITY, gradient: new Float64Array(alpha.length) };
  const [dx, dy] = [x - goal.moments.x, y - goal.moments.y];
  const perPixel = 2 / (area * width * width);
  const gradient = alpha.map((_, k) => perPixel * (dx * ((k % width) - x) + dy * (Math.floor(k / width) - y)));
  let value = (dx * dx + dy * dy) / (width * width);
  if (shape > 0) {
    const soft = gaussianBlur(
      alpha.map((a, k) => a - goal.alpha[k]),
      layout,
      blur * width,
    );
    value += (shape * soft.reduce((sum, d) => sum + d * d, 0)) / goal.square;
    // The blur is its own transpose.
    gaussianBlur(soft, layout, blur * width).forEach((d, k) => {
      gradient[k] += (2 * shape * d) / goal.square;
    });
  }
  return { value, gradient };
}

function momentsOf(alpha: ArrayLike<number>, { width }: ImageLayout): Moments {
  let [area, x, y] = [0, 0, 0];
  for (let k = 0; k < alpha.length; k++) {
    area += alpha[k];
    x += alpha[k] * (k % width);
    y += alpha[k] * Math.floor(k / width);
  }
  return { area, x: x / area, y: y / area };
}

/** Returns the element number in the domain `pixels` of each pixel, row by row. */
function pixelsInRows(layout: ImageLayout): Uint32Array {
  const { width, height } = layout;
  return Uint32Array.from({ length: width * height }, (_, k) =>
    pixelIndex(layout, 0, k % width, Math.floor(k / width)),
  );
}

function refuseOtherSize(what: string, { width, height, alpha }: GoalImage, layout: ImageLayout): void {
  if (layout.cameras !== 1)
    throw new GradsimError('control/one-camera', `${what} is of one camera; the scene has ${layout.cameras}.`);
  if (width !== layout.width || height !== layout.height)
    throw new GradsimError(
      'control/other-shape',
      `${what} has ${width} x ${height} pixels, but pictures of the scene have ${layout.width} x ${layout.height}.`,
      { hint: 'Give one of that size, or change `render({ width, height })`.' },
    );
  if (alpha.length !== width * height)
    throw new GradsimError('control/wrong-size', `${what} has ${alpha.length} values for ${width} x ${height} pixels.`);
  const wrong = Array.from(alpha).findIndex((a) => !(a >= 0 && a <= 1));
  if (wrong >= 0)
    throw new GradsimError('control/value-out-of-range', `${what} covers pixel ${wrong} by ${alpha[wrong]}.`, {
      hint: 'It must be from 0 to 1.',
    });
}
