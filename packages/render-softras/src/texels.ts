import type { Kernel } from '@gradsim/core';
import { adjointOf, forRange, kernel, localArray, on, u32, vec2, vec3, vec4, when } from '@gradsim/core';
import { andInPicture, placeOf } from '@gradsim/render';
import type { Look, RasterShape } from '@gradsim/render/raster';
import {
  depthOf,
  FACES_OF_PIXEL,
  faceInputs,
  meetingOf,
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

/**
 * The adjoint of `softColor` with respect to texels. Which texels a pixel shows only the run knows, and an addition in a
 * loop wants a slot for each round: so a pixel first lists the faces that have a share in it, then adds for these.
 */
export function texelsAdjoint(
  shape: RasterShape,
  look: Look,
  settings: RasterSettings,
  name: string,
): Kernel {
  const { layout, faces } = shape;
  const most = settings.mostTexturedFaces;
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
      const start = { count: u32(0), list: localArray(most, u32(0)) };
      const { count, list } = overFaces(
        shape,
        faceRadius(settings),
        fields,
        place,
        start,
        (face, meeting, sums): typeof start => {
          const seen = depthOf(meeting.triangle, meeting.barycentric);
          return when(
            andInPicture(layout, place, isFelt(settings, seen, softmax)),
            () => {
              const share = shareOf(settings, softmax, seen, outlineOf(meeting, settings));
              return when(
                share.gt(0),
                () => ({ count: sums.count.add(1), list: sums.list.set(sums.count, face) }),
                () => sums,
              );
            },
            () => sums,
          );
        },
      );
      forRange(
        0,
        count,
        {},
        (k) => {
          const face = list.get(k);
          const on = { face, viewFace: place.camera.mul(faces).add(face) };
          const meeting = meetingOf(shape, fields, on.viewFace, place);
          const seen = depthOf(meeting.triangle, meeting.barycentric);
          const share = shareOf(settings, softmax, seen, outlineOf(meeting, settings)).mul(
            shownOf(settings, rgba),
          );
          const ofFace = faceInputs(look, fields, on);
          const inputs = surfaceInputs(look, fields, on, ofFace, vec3(...seen.share));
          const bars = surfaceAdjoint(look, inputs, vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z).mul(share));
          const four = [bars.upperLeft, bars.upperRight, bars.lowerLeft, bars.lowerRight];
          texelsOf(look, fields, on, ofFace, inputs.share).forEach((texel, c) =>
            texelsBar.add(texel, four[c]),
          );
          return {};
        },
        { most },
      );
    },
  );
}
