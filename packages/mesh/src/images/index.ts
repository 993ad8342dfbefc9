export type { PngRows, PngShape } from './encode-png-rows.ts';
export { encodePngRows } from './encode-png-rows.ts';
export { readJpeg } from './jpeg.ts';
export { readPng } from './png.ts';
export type { StoredImage } from './stored-image.ts';
