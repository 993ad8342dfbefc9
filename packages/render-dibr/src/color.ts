import type { Kernel } from '@gradsim/core';
import { adjointOf, f32, index, kernel, mat33, on, select, u32, vec3, vec4, when } from '@gradsim/core';
import { andInPicture, inPicture, placeOf, texelColor } from '@gradsim/render';
import type { Look, RasterShape } from '@gradsim/render/raster';
import {
  addSurface,
  backgroundType,
  depthOf,
  faceInputs,
  giveSurface,
  noFace,
  overPixels,
  PIXELS_OF_FACE,
  placeAdjoint,
  surfaceAdjoint,
  surfaceBars,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
  surfaceZeros,
  texelsOf,
  zeroMatrix,
} from '@gradsim/render/raster';
import type { DibrSettings } from './options.ts';
import { depthOn, PLACE_FIELDS } from './place.ts';

/** Colours and alpha: of the face that is shown, or of the background where none is. */
export function drawColor(
  shape: RasterShape,
  look: Look,
  settings: DibrSettings,
  name = 'dibrColor',
): Kernel {
  const { layout, faces } = shape;
  return kernel(
    name,
    {
      domain: 'pixels',
      reads: {
        ...{ shown: u32, open: f32, background: backgroundType(settings.background) },
        ...PLACE_FIELDS,
        ...surfaceFields(look),
      },
      writes: { rgba: vec4 },
      adjoint: () => [
        facesAdjoint(shape, look, name),
        behindAdjoint(shape, settings, name),
        ...(look.textured ? [texelsAdjoint(shape, look, name)] : []),
      ],
    },
    ({ shown, open, background, ...fields }, { element }) => {
      const place = placeOf(layout, element);
      const isShown = shown.lt(noFace(shape));
      const rgb = when(
        isShown,
        () => {
          const { share } = depthOn(shape, fields, shown, place);
          const seen = { viewFace: shown, face: shown.sub(place.camera.mul(faces)) };
          const ofFace = faceInputs(look, fields, seen);
          return surfaceColor(look, surfaceInputs(look, fields, seen, ofFace, vec3(...share)));
        },
        () => background,
      );
      const [r, g, b, a] = [...rgb.components, f32(1).sub(open)].map((v) => inPicture(layout, place, v));
      return { rgba: vec4(r, g, b, a) };
    },
  );
}

/** With respect to the faces and the light on them: each face goes over the pixels that show it. */
function facesAdjoint(shape: RasterShape, look: Look, name: string): Kernel {
  return kernel(
    `${name}_faces_adjoint`,
    {
      domain: 'faceLanes',
      reads: {
        ...{ viewFace: index('viewFaces'), face: index('faces'), shown: on('pixels', u32) },
        rgbaBar: adjointOf('rgba', on('pixels', vec4)),
        ...PIXELS_OF_FACE,
        ...surfaceFields(look),
      },
      adds: { screenBar: adjointOf('screen', on('viewFaces', mat33)), ...surfaceBars(look) },
    },
    ({ viewFace, face, shown, rgbaBar, screenBar, ...fields }, { element }) => {
      const seen = { viewFace, face };
      const ofFace = faceInputs(look, fields, seen);
      const start = { corners: zeroMatrix(), ...surfaceZeros(look) };
      const end = overPixels(
        shape,
        0,
        element,
        fields,
        start,
        (meeting, { corners, ...sums }): typeof start =>
          when(
            shown.at(meeting.pixel).eq(viewFace),
            () => {
              const depth = depthOf(meeting.triangle, meeting.barycentric);
              const inputs = surfaceInputs(look, fields, seen, ofFace, vec3(...depth.share));
              const { x, y, z } = rgbaBar.at(meeting.pixel);
              const bars = surfaceAdjoint(look, inputs, vec3(x, y, z));
              const { x: a, y: b, z: c } = bars.share;
              return {
                corners: corners.add(placeAdjoint(meeting, depth, f32(0), [a, b, c])),
                ...addSurface(sums, bars),
              };
            },
            () => ({ corners, ...sums }),
          ),
      );
      const { corners, ...sums } = end;
      screenBar.add(viewFace, corners);
      giveSurface(look, fields, seen, sums);
    },
  );
}

/** With respect to the background, and to what faces leave open of the pixels that show it. */
function behindAdjoint(shape: RasterShape, settings: DibrSettings, name: string): Kernel {
  const { layout } = shape;
  return kernel(
    `${name}_background_adjoint`,
    {
      domain: 'pixels',
      reads: { shown: u32, rgbaBar: adjointOf('rgba', vec4) },
      adds: {
        openBar: adjointOf('open', f32),
        backgroundBar: adjointOf('background', backgroundType(settings.background)),
      },
    },
    ({ shown, rgbaBar, openBar, backgroundBar }, { element }) => {
      const place = placeOf(layout, element);
      const behind = inPicture(layout, place, select(shown.eq(noFace(shape)), f32(1), f32(0)));
      openBar.add(rgbaBar.w.mul(behind).neg());
      backgroundBar.add(vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z).mul(behind));
    },
  );
}

/** With respect to texels: each pixel adds to the four that it shows. */
function texelsAdjoint(shape: RasterShape, look: Look, name: string): Kernel {
  const { layout, faces } = shape;
  return kernel(
    `${name}_texels_adjoint`,
    {
      domain: 'pixels',
      reads: {
        ...{ shown: u32, rgbaBar: adjointOf('rgba', vec4) },
        ...PLACE_FIELDS,
        ...surfaceFields(look),
      },
      adds: { texelsBar: adjointOf('color', on(texelColor)) },
    },
    ({ shown, rgbaBar, texelsBar, ...fields }, { element }) => {
      const place = placeOf(layout, element);
      when(andInPicture(layout, place, shown.lt(noFace(shape))), () => {
        const share = vec3(...depthOn(shape, fields, shown, place).share);
        const seen = { viewFace: shown, face: shown.sub(place.camera.mul(faces)) };
        const ofFace = faceInputs(look, fields, seen);
        const inputs = surfaceInputs(look, fields, seen, ofFace, share);
        const bars = surfaceAdjoint(look, inputs, vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z));
        const four = [bars.upperLeft, bars.upperRight, bars.lowerLeft, bars.lowerRight];
        texelsOf(fields, seen, ofFace, share).forEach((texel, k) => texelsBar.add(texel, four[k]));
      });
    },
  );
}
