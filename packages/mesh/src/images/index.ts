export type { PngRows, PngShape } from './encode-png-rows.ts';
export { encodePngRows } from './encode-png-rows.ts';
export { checkPngHeader } from './png-header.ts';
