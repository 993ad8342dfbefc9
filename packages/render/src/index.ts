export type { Normals } from './appearance/passes.ts';
export { texelColor } from './appearance/texel-color.ts';
export type { CameraKind } from './cameras.ts';
export {
  addView,
  CAMERA_PORTS,
  distorted,
  distortedSlopes,
  LookAtCamera,
  lensTermsOf,
  OrbitCamera,
  PinholeCamera,
  viewKernel,
} from './cameras.ts';
export type { DrawFieldOptions } from './draw-field.ts';
export { drawField } from './draw-field.ts';
export type { ImageLayout, ImageSize, PixelArray } from './layout.ts';
export { colorRows, fromRows, imageLayout, pixelIndex, TILE, TILE_PIXELS, toRows } from './layout.ts';
export { layoutOf } from './layouts.ts';
export type { ShadeOptions } from './light.ts';
export { ambientLight, DirectionalLight, radianceHarmonics } from './light.ts';
export { Pixel } from './pixel.ts';
export type { PixelPlace } from './pixels.ts';
export { deviceX, deviceY, inPicture, placeOf, restrictToPicture } from './pixels.ts';
export type { RenderOptions } from './plugin.ts';
export { render } from './plugin.ts';
export { project } from './project.ts';
export { addSurfaces, Vertex } from './surfaces.ts';
