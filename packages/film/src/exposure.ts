import type { F32, Model, Plugin, U32 } from '@gradsim/core';
import {
  abs,
  clamp,
  definePlugin,
  describeValue,
  f32,
  field,
  GradsimError,
  kernel,
  max,
  refuseUnknownChoice,
  refuseUnknownOptions,
  select,
  sqrt,
  vec4,
} from '@gradsim/core';
import type { ImageLayout } from '@gradsim/render';
import { inPicture, layoutOf, Pixel, placeOf } from '@gradsim/render';

/** Options of {@link exposure}. */
export interface ExposureOptions {
  /** Exposed quantity: colours, from `pixels.rgba`, or outlines, from `pixels.alpha`. */
  readonly by: 'colours' | 'outlines';
  /** Number of pictures of the model for each frame of the film, as `instants` of the observation. At least 2. */
  readonly instants: number;
  /** Frame rate of the film, frames/s. */
  readonly frameRate: number;
  /** Exposure time as a fraction of the frame interval, the initial value of `world.shutter`. Default 0.5. */
  readonly shutter?: number;
  /**
   * Time from the first row's exposure to the last row's (rolling shutter), s, the initial value of `world.readout`.
   * Default 0.
   */
  readonly readout?: number;
  /** Factor on the exposed colours, the initial value of `world.gain`. Default 1. */
  readonly gain?: number;
  /** Black level added to the colours after the gain, the initial value of `world.offset`. Default 0. */
  readonly offset?: number;
}

const shutterOf = field('world', 'shutter', f32);
const readoutOf = field('world', 'readout', f32, { unit: 's' });
const gainOf = field('world', 'gain', f32);
const offsetOf = field('world', 'offset', f32);

/**
 * Minimum length of the interval over which pictures, interpolated linearly between instants, are averaged; in
 * intervals between two instants.
 */
const MIN_INTERVAL = 0.05;

/**
 * Plugin for a camera's exposure: the mean of `pixels.exposed` over the `instants` of a frame is the picture of a
 * camera whose shutter is open for a fraction of the frame interval, whose rows are exposed one after another, and that
 * has a gain and an offset. Each of these quantities can be an unknown. Pictures are blended between instants, and stay
 * constant after the last one: take enough instants that moving things shift by at most a quarter of their edges'
 * softness from one to the next. The shutter should close before the last instant, and stay open for two instants or
 * more: a shorter exposure cannot be distinguished from an instantaneous one.
 *
 * ```ts
 * const scene = createScene([
 *   rigid(),
 *   render(film.size),
 *   softRas({ drawings: ['color'] }),
 *   exposure({ by: 'colours', instants: 6, frameRate: film.frameRate }),
 * ]);
 * // ... and film.stage(model, { exposed: true, instants: 6, ... })
 * ```
 * @throws for invalid options; when the scene is built, without a renderer that draws the exposed pictures.
 */
export function exposure(options: ExposureOptions): Plugin {
  checkOptions(options);
  return definePlugin({
    name: '@gradsim/film/exposure',
    contract: 1,
    requires: ['@gradsim/render'],
    build: ({ model }) => {
      const { shutter = 0.5, readout = 0, gain = 1, offset = 0 } = options;
      model.addField(shutterOf, { fill: shutter, range: 'nonNegative' });
      model.addField(readoutOf, { fill: readout, range: 'nonNegative' });
      model.addField(gainOf, { fill: gain });
      model.addField(offsetOf, { fill: offset });
    },
    // Renderers have added their pictures by then.
    finish: ({ model }) => addExposurePass(model, options),
  });
}

function checkOptions(options: ExposureOptions): void {
  refuseUnknownOptions<ExposureOptions>('exposure', options, {
    by: 0,
    instants: 0,
    frameRate: 0,
    shutter: 0,
    readout: 0,
    gain: 0,
    offset: 0,
  });
  const { by, instants, frameRate, shutter = 0.5, readout = 0, gain = 1, offset = 0 } = options;
  refuseUnknownChoice('exposure: by', by, ['colours', 'outlines']);
  if (!Number.isInteger(instants) || instants < 2)
    throw new GradsimError('film/option-out-of-range', `exposure: instants is ${describeValue(instants)}.`, {
      field: 'instants',
      hint: 'It must be a whole number of at least 2.',
    });
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new GradsimError('film/option-out-of-range', `exposure: frameRate is ${describeValue(frameRate)}.`, {
      field: 'frameRate',
      hint: 'It must be a number above 0, in frames a second.',
    });
  if (!(shutter >= 0 && readout >= 0 && shutter + readout * frameRate <= 1))
    throw new GradsimError(
      'film/option-out-of-range',
      `exposure: a shutter of ${shutter} of a frame and a readout of ${readout} s end after the next frame begins; shutter + readout x frameRate is at most 1, and none is below 0.`,
    );
  if (![gain, offset].every(Number.isFinite))
    throw new GradsimError(
      'film/option-out-of-range',
      `exposure: gain is ${describeValue(gain)} and offset ${describeValue(offset)}.`,
      {
        field: 'gain',
        hint: 'Both must be numbers.',
      },
    );
}

/** Integral from -infinity to v of a hat function of height 1 on [-1, 1]. */
const hatUpTo = (v: F32): F32 => {
  const c = clamp(v, -1, 1);
  return c.sub(c.mul(abs(c)).mul(0.5)).add(0.5);
};

function addExposurePass(model: Model, { by, instants, frameRate }: ExposureOptions): void {
  const layout = layoutOf(model);
  const pictures = (by === 'colours' ? Pixel.rgba : Pixel.alpha).key;
  if (!model.fields.has(pictures))
    throw new GradsimError('film/picture-not-drawn', `exposure is by ${by}, and the renderer draws no ${pictures}.`, {
      hint: `Name ${by === 'colours' ? 'color' : 'silhouette'} among its drawings.`,
    });
  model.addPass(
    'observe',
    by === 'colours' ? exposeColours(layout, instants, frameRate) : exposeOutlines(layout, instants, frameRate),
  );
}

const EXPOSURE_READS = { shutter: shutterOf, readout: readoutOf };

const exposeColours = (layout: ImageLayout, instants: number, frameRate: number) =>
  kernel(
    'exposeColours',
    {
      domain: 'pixels',
      reads: { rgba: vec4, ...EXPOSURE_READS, gain: gainOf, offset: offsetOf },
      writes: { exposed: vec4 },
    },
    ({ rgba, shutter, readout, gain, offset }, { element, frame }) => {
      const weight = instantWeight(layout, instants, frameRate, { element, frame, shutter, readout });
      const part = (c: F32): F32 => inPicture(layout, placeOf(layout, element), c.mul(gain).add(offset).mul(weight));
      const { x, y, z, w } = rgba;
      return { exposed: vec4(part(x), part(y), part(z), w.mul(weight)) };
    },
  );

const exposeOutlines = (layout: ImageLayout, instants: number, frameRate: number) =>
  kernel(
    'exposeOutlines',
    { domain: 'pixels', reads: { alpha: f32, ...EXPOSURE_READS }, writes: { exposed: f32 } },
    ({ alpha, shutter, readout }, { element, frame }) => ({
      exposed: alpha.mul(instantWeight(layout, instants, frameRate, { element, frame, shutter, readout })),
    }),
  );

/**
 * Weight of an instant's picture in the mean over a frame's instants: the share of that picture in the exposure of the
 * pixel's row, with pictures interpolated between instants, times the number of instants.
 */
function instantWeight(
  layout: ImageLayout,
  instants: number,
  frameRate: number,
  { element, frame, shutter, readout }: { element: U32; frame: U32; shutter: F32; readout: F32 },
): F32 {
  const instant = frame.rem(instants).toF32();
  const { row } = placeOf(layout, element);
  // Times in instants since the frame began; a pixel's row is exposed like its middle.
  const start = row
    .toF32()
    .add(0.5)
    .div(layout.height)
    .mul(readout.mul(frameRate * instants));
  // Blending from picture to picture blurs by itself: over the time l of a sum of hats, the variance is l^2 / 12 + 1 /
  // 6. That of the exposure e is e^2 / 12, so l^2 = e^2 - 2, about the same middle.
  const open = shutter.mul(instants);
  const length = sqrt(max(open.mul(open).sub(2), f32(MIN_INTERVAL ** 2)));
  const first = start.add(open.sub(length).mul(0.5));
  // The last instant's picture stays until the frame ends, so its hat has no right side.
  const isLast = instant.eq(instants - 1);
  const upTo = (time: F32): F32 => {
    const v = time.sub(instant);
    return select(isLast.and(v.gt(0)), v.add(0.5), hatUpTo(v));
  };
  return upTo(first.add(length)).sub(upTo(first)).div(length).mul(instants);
}
