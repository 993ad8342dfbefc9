import type { Kernel } from '@gradsim/core';
import { adjointOf, kernel, on, vec2, vec3, vec4, when } from '@gradsim/core';
import { andInPicture, placeOf } from '@gradsim/render';
import type { Look, RasterShape } from '@gradsim/render/raster';
import {
  depthOf,
  FACES_OF_PIXEL,
  faceInputs,
  overFaces,
  shownTexels,
  surfaceAdjoint,
  surfaceFields,
  surfaceInputs,
  texelsOf,
} from '@gradsim/render/raster';
import { isFelt, outlineOf, shareOf, shownOf } from './adjoint.ts';
import type { RasterSettings } from './options.ts';
import { faceRadius } from './options.ts';

/** The adjoint of `softColor` with respect to texels. Which ones a pixel shows, and how many, only the run knows. */
export function texelsAdjoint(
  shape: RasterShape,
  look: Look,
  settings: RasterSettings,
  name: string,
): Kernel {
  const { layout, faces } = shape;
  return kernel(
    `${name}_texels_adjoint`,
    {
      domain: 'pixels',
      reads: {
        ...{ softmax: vec2, rgba: vec4, rgbaBar: adjointOf('rgba', vec4) },
        ...FACES_OF_PIXEL,
        ...surfaceFields(look),
      },
      adds: { texelsBar: adjointOf('color', on(shownTexels(look))) },
    },
    ({ softmax, rgba, rgbaBar, texelsBar, ...fields }, { element }) => {
      const place = placeOf(layout, element);
      const shown = shownOf(settings, rgba);
      const bar = vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z);
      overFaces(shape, faceRadius(settings), fields, place, {}, (face, meeting) => {
        const seen = depthOf(meeting.triangle, meeting.barycentric);
        when(andInPicture(layout, place, isFelt(settings, seen, softmax)), () => {
          const share = shareOf(settings, softmax, seen, outlineOf(meeting, settings)).mul(shown);
          when(share.gt(0), () => {
            const at = { face, viewFace: place.camera.mul(faces).add(face) };
            const ofFace = faceInputs(look, fields, at);
            const inputs = surfaceInputs(look, fields, at, ofFace, vec3(...seen.share));
            const bars = surfaceAdjoint(look, inputs, bar.mul(share));
            const four = [bars.upperLeft, bars.upperRight, bars.lowerLeft, bars.lowerRight];
            texelsOf(look, fields, at, ofFace, inputs.share).forEach((texel, c) =>
              texelsBar.add(texel, four[c]),
            );
          });
        });
        return {};
      });
    },
  );
}
