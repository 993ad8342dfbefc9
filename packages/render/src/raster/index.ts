export type { Colors } from '../appearance/color.ts';
export { addColorBar, colorAt } from '../appearance/color.ts';
export type { Look, PixelLight } from '../appearance/look.ts';
export type { SeenFace, SurfaceInputs, SurfaceReaders, SurfaceSums } from '../appearance/surface.ts';
export {
  addSurface,
  faceInputs,
  giveSurface,
  giveTexels,
  surfaceAdjoint,
  surfaceBars,
  surfaceColor,
  surfaceFields,
  surfaceInputs,
  surfaceZeros,
  texelBars,
} from '../appearance/surface.ts';
export type { Three } from '../three.ts';
export { three } from '../three.ts';
export { outlineAdjoint, placeAdjoint } from './adjoints.ts';
export type { Background } from './background.ts';
export { backgroundAround, backgroundAt, backgroundType } from './background.ts';
export type { DeviceLight, DeviceLook, DeviceMesh } from './device-mesh.ts';
export type { Drawing, RendererOptions } from './drawing.ts';
export type { PixelMeeting } from './face-pixels.ts';
export { FACE_LANES, overPixels, PIXELS_OF_FACE, zeroMatrix } from './face-pixels.ts';
export { noFace } from './nearest-face.ts';
export type { FaceReaders } from './pixel-faces.ts';
export { FACES_OF_PIXEL, meetingOf, overFaces } from './pixel-faces.ts';
export type {
  ColorDrawing,
  DeviceSceneOptions,
  Drawn,
  Renderer,
  RendererDefinition,
  RendererSettings,
} from './renderer.ts';
export { defineRenderer } from './renderer.ts';
export type { RasterShape } from './shape.ts';
export type { Barycentric, Depth, Meeting, Nearest, Triangle, TriangleReaders } from './triangle.ts';
export {
  clockwise,
  cornersOf,
  depthOf,
  distance2Of,
  nearestOf,
  reachesBehind,
  sideOf,
  TRIANGLE_OF_FACE,
} from './triangle.ts';
