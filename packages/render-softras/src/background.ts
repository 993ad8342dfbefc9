import type { Kernel } from '@gradsim/core';
import { adjointOf, exp, f32, kernel, select, vec2, vec3, vec4 } from '@gradsim/core';
import { inPicture, placeOf } from '@gradsim/render';
import type { RasterShape } from '@gradsim/render/raster';
import { backgroundType } from '@gradsim/render/raster';
import type { RasterSettings } from './options.ts';
import { softmaxScale } from './options.ts';

/**
 * Adjoint kernel of the rasteriser with respect to `background`: sums the weight of the background in each pixel times
 * the pixel's adjoint.
 */
export function backgroundAdjoint({ layout }: RasterShape, settings: RasterSettings, name: string): Kernel {
  const { perDepth, backgroundDepth } = softmaxScale(settings);
  return kernel(
    `${name}_background_adjoint`,
    {
      domain: 'pixels',
      reads: { softmax: vec2, rgba: vec4, rgbaBar: adjointOf('rgba', vec4) },
      adds: {
        backgroundBar: adjointOf('background', backgroundType(settings.background)),
      },
    },
    ({ softmax, rgba, rgbaBar, backgroundBar }, { element }) => {
      const share =
        settings.compositing === 'softmax'
          ? exp(softmax.x.sub(backgroundDepth).mul(perDepth)).div(softmax.y)
          : select(softmax.y.gt(0), f32(1).sub(rgba.w), f32(1));
      const behind = inPicture(layout, placeOf(layout, element), share);
      backgroundBar.add(vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z).mul(behind));
    },
  );
}
