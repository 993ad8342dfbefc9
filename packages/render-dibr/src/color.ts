import type { Kernel, U32, Vec3 } from '@gradsim/core';
import { adjointOf, dot, f32, fieldOn, index, kernel, mat33, select, u32, vec3, vec4, when } from '@gradsim/core';
import type { PixelPlace } from '@gradsim/render';
import { inPicture, placeOf, restrictToPicture } from '@gradsim/render';
import type { RasterShape, SurfaceLook, SurfaceReaders, TriangleReaders } from '@gradsim/render/raster';
import {
  addSurface,
  addSurfaceAdjoints,
  addTexelAdjoints,
  backgroundType,
  depthOf,
  faceInputs,
  noFace,
  overPixels,
  PIXELS_OF_FACE,
  seenPointAdjoint,
  surfaceAdjoint,
  surfaceAdjointSpecs,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
  surfaceZeros,
  TRIANGLE_OF_FACE,
  texelAdjointSpecs,
  zeroMatrix,
} from '@gradsim/render/raster';
import type { DibrSettings } from './options.ts';
import { faceRadius } from './options.ts';
import { depthOnFace } from './place.ts';

/**
 * Kernel that writes colour and alpha: the colour of the face `shown`, over the background by the pixel's openness.
 * With compositing by coverage, `shown` is bound to the field `painted`, which also holds faces next to the pixel.
 */
export function drawColor(shape: RasterShape, look: SurfaceLook, settings: DibrSettings, name: string): Kernel {
  const { layout } = shape;
  return kernel(
    name,
    {
      domain: 'pixels',
      reads: {
        shown: u32,
        open: f32,
        background: backgroundType(settings.background),
        ...TRIANGLE_OF_FACE,
        ...surfaceFields(look),
      },
      writes: { rgba: vec4 },
      adjoint: () => [
        faceColorAdjoint(shape, look, settings, name),
        backgroundAdjoint(shape, look, settings, name),
        ...(look.textured ? [texelAdjoint(shape, look, name)] : []),
      ],
    },
    ({ shown, open, background, ...fields }, { element }) => {
      const place = placeOf(layout, element);
      const isShown = shown.lt(noFace(shape));
      const rgb = when(
        isShown,
        () => {
          const color = colorOn(shape, look, fields, shown, place);
          if (settings.compositing === 'nearest') return color;
          const mixed = background.mul(open).add(color.mul(f32(1).sub(open)));
          return select(open.gt(0), mixed, color);
        },
        () => background,
      );
      const [r, g, b, a] = [...rgb.components, f32(1).sub(open)].map((v) => inPicture(layout, place, v));
      return { rgba: vec4(r, g, b, a) };
    },
  );
}

/** Colour of a face at the point that a pixel sees. */
function colorOn(
  shape: RasterShape,
  look: SurfaceLook,
  fields: TriangleReaders & SurfaceReaders,
  viewFace: U32,
  place: PixelPlace,
): Vec3 {
  const { weights } = depthOnFace(shape, fields, viewFace, place);
  const seen = { viewFace, face: viewFace.sub(place.camera.mul(shape.faces)) };
  const ofFace = faceInputs(look, fields, seen);
  return surfaceColor(look, surfaceInputs(look, fields, seen, ofFace, vec3(...weights)));
}

/**
 * Adjoint kernel with respect to the faces and the light on them: each face loops over the pixels near it, and sums
 * over those that show it.
 */
function faceColorAdjoint(shape: RasterShape, look: SurfaceLook, settings: DibrSettings, name: string): Kernel {
  const radius = settings.compositing === 'coverage' ? faceRadius(settings) : 0;
  return kernel(
    `${name}_faces_adjoint`,
    {
      domain: 'faceLanes',
      reads: {
        viewFace: index('viewFaces'),
        face: index('faces'),
        shown: fieldOn('pixels', u32),
        open: fieldOn('pixels', f32),
        rgbaBar: adjointOf('rgba', fieldOn('pixels', vec4)),
        ...PIXELS_OF_FACE,
        ...surfaceFields(look),
      },
      adds: { screenBar: adjointOf('screen', fieldOn('viewFaces', mat33)), ...surfaceAdjointSpecs(look) },
    },
    ({ viewFace, face, shown, open, rgbaBar, screenBar, ...fields }, { element }) => {
      const seen = { viewFace, face };
      const ofFace = faceInputs(look, fields, seen);
      const start = { corners: zeroMatrix(), ...surfaceZeros(look) };
      const end = overPixels(shape, radius, element, fields, start, (meeting, { corners, ...sums }): typeof start =>
        when(
          shown.at(meeting.pixel).eq(viewFace),
          () => {
            const depth = depthOf(meeting.triangle, meeting.barycentric);
            const inputs = surfaceInputs(look, fields, seen, ofFace, vec3(...depth.weights));
            const { x, y, z } = rgbaBar.at(meeting.pixel);
            const bar = vec3(x, y, z).mul(f32(1).sub(open.at(meeting.pixel)));
            const bars = surfaceAdjoint(look, inputs, bar);
            const { x: a, y: b, z: c } = bars.share;
            return {
              corners: corners.add(seenPointAdjoint(meeting, depth, f32(0), [a, b, c])),
              ...addSurface(sums, bars),
            };
          },
          () => ({ corners, ...sums }),
        ),
      );
      const { corners, ...sums } = end;
      screenBar.add(viewFace, corners);
      addSurfaceAdjoints(look, fields, seen, sums);
    },
  );
}

/** Adjoint kernel with respect to the background, and to the openness of the pixels. */
function backgroundAdjoint(shape: RasterShape, look: SurfaceLook, settings: DibrSettings, name: string): Kernel {
  const { layout } = shape;
  const background = backgroundType(settings.background);
  const isSoft = settings.compositing === 'coverage';
  const painted = { open: f32, background, ...TRIANGLE_OF_FACE, ...surfaceFields(look) };
  return kernel(
    `${name}_background_adjoint`,
    {
      domain: 'pixels',
      reads: {
        shown: u32,
        rgbaBar: adjointOf('rgba', vec4),
        ...(isSoft ? painted : ({} as typeof painted)),
      },
      adds: { openBar: adjointOf('open', f32), backgroundBar: adjointOf('background', background) },
    },
    ({ shown, rgbaBar, openBar, backgroundBar, ...soft }, { element }) => {
      const place = placeOf(layout, element);
      const isBare = shown.eq(noFace(shape));
      const share = isSoft ? select(isBare, f32(1), soft.open) : select(isBare, f32(1), f32(0));
      const behind = inPicture(layout, place, share);
      const bar = vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z);
      backgroundBar.add(bar.mul(behind));
      const isOpen = behind.gt(0);
      const towards = isSoft
        ? when(
            isOpen.and(isBare.not()),
            () => dot(bar, colorOn(shape, look, soft, shown, place).sub(soft.background)),
            () => f32(0),
          )
        : f32(0);
      openBar.add(select(isOpen, rgbaBar.w.add(towards).neg(), f32(0)));
    },
  );
}

/** Adjoint kernel with respect to texels: each pixel adds to the four texels that it samples. */
function texelAdjoint(shape: RasterShape, look: SurfaceLook, name: string): Kernel {
  const { layout, faces } = shape;
  return kernel(
    `${name}_texels_adjoint`,
    {
      domain: 'pixels',
      reads: {
        shown: u32,
        open: f32,
        rgbaBar: adjointOf('rgba', vec4),
        ...TRIANGLE_OF_FACE,
        ...surfaceFields(look),
      },
      adds: texelAdjointSpecs(look),
    },
    ({ shown, open, rgbaBar, ...fields }, { element }) => {
      const place = placeOf(layout, element);
      when(restrictToPicture(layout, place, shown.lt(noFace(shape))), () => {
        const share = vec3(...depthOnFace(shape, fields, shown, place).weights);
        const seen = { viewFace: shown, face: shown.sub(place.camera.mul(faces)) };
        const ofFace = faceInputs(look, fields, seen);
        const inputs = surfaceInputs(look, fields, seen, ofFace, share);
        const bar = vec3(rgbaBar.x, rgbaBar.y, rgbaBar.z).mul(f32(1).sub(open));
        const bars = surfaceAdjoint(look, inputs, bar);
        addTexelAdjoints(look, fields, fields, seen, inputs, bars);
      });
    },
  );
}
