export type { Colors } from '../appearance/color.ts';
export { addColorAdjoint as addColorBar, colorAt } from '../appearance/color.ts';
export type { PixelLight, SurfaceLook as Look } from '../appearance/look.ts';
export type { FaceIndices as SeenFace, SurfaceInputs, SurfaceReaders, SurfaceSums } from '../appearance/surface.ts';
export {
  addSurface,
  addSurfaceAdjoints as giveSurface,
  addTexelAdjoints as giveTexels,
  faceInputs,
  surfaceAdjoint,
  surfaceAdjointSpecs as surfaceBars,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
  surfaceZeros,
  texelAdjointSpecs as texelBars,
} from '../appearance/surface.ts';
export type { Three } from '../three.ts';
export { three } from '../three.ts';
export { outlineDistanceAdjoint as outlineAdjoint, seenPointAdjoint as placeAdjoint } from './adjoints.ts';
export type { Background } from './background.ts';
export { backgroundAt, backgroundReads as backgroundAround, backgroundType } from './background.ts';
export type { DeviceLight, DeviceLook, DeviceMesh } from './device-mesh.ts';
export type { Drawing, RendererOptions } from './drawing.ts';
export type { PixelNearFace as PixelMeeting } from './face-pixels.ts';
export { FACE_LANES, overPixels, PIXELS_OF_FACE, zeroMatrix } from './face-pixels.ts';
export { noFace } from './nearest-face.ts';
export type { FaceReaders } from './pixel-faces.ts';
export { FACES_OF_PIXEL, overFaces, pixelOnFace as meetingOf } from './pixel-faces.ts';
export type {
  ColorDrawing,
  DeviceSceneOptions,
  DrawingContext as Drawn,
  Renderer,
  RendererDefinition,
  RendererSettings,
} from './renderer.ts';
export { defineRenderer } from './renderer.ts';
export type { RasterShape } from './shape.ts';
export type {
  Barycentric,
  Depth,
  NearestEdgePoint as Nearest,
  PixelOnFace as Meeting,
  Triangle,
  TriangleReaders,
} from './triangle.ts';
export {
  clockwise,
  cornersOf,
  depthOf,
  distance2Of,
  nearestEdgePoint as nearestOf,
  reachesBehind,
  sideOf,
  TRIANGLE_OF_FACE,
} from './triangle.ts';
