export type { Colors } from '../appearance/color.ts';
export { addColorAdjoint, colorAt } from '../appearance/color.ts';
export type { PixelLight, SurfaceLook } from '../appearance/look.ts';
export type { FaceIndices, SurfaceInputs, SurfaceReaders, SurfaceSums } from '../appearance/surface.ts';
export {
  addSurface,
  addSurfaceAdjoints,
  addTexelAdjoints,
  faceInputs,
  surfaceAdjoint,
  surfaceAdjointSpecs,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
  surfaceZeros,
  texelAdjointSpecs,
} from '../appearance/surface.ts';
export type { Three } from '../three.ts';
export { ofThree as three } from '../three.ts';
export { outlineDistanceAdjoint, seenPointAdjoint } from './adjoints.ts';
export type { Background } from './background.ts';
export { backgroundAt, backgroundReads, backgroundType } from './background.ts';
export type { DeviceLight, DeviceLook, DeviceMesh } from './device-mesh.ts';
export type { Drawing, RendererOptions } from './drawing.ts';
export type { PixelNearFace } from './face-pixels.ts';
export { FACE_LANES, overPixels, PIXELS_OF_FACE, zeroMatrix } from './face-pixels.ts';
export { noFace } from './nearest-face.ts';
export type { FaceReaders } from './pixel-faces.ts';
export { FACES_OF_PIXEL, overFaces, pixelOnFace } from './pixel-faces.ts';
export type {
  ColorDrawing,
  DeviceSceneOptions,
  DrawingContext,
  Renderer,
  RendererDefinition,
  RendererSettings,
} from './renderer.ts';
export { defineRenderer } from './renderer.ts';
export type { RasterShape } from './shape.ts';
export type {
  Barycentric,
  Depth,
  NearestEdgePoint,
  PixelOnFace,
  Triangle,
  TriangleReaders,
} from './triangle.ts';
export {
  clockwise,
  cornersOf,
  depthOf,
  distance2Of,
  nearestEdgePoint,
  reachesBehind,
  sideOf,
  TRIANGLE_OF_FACE,
} from './triangle.ts';
