export { pngSize } from './png-header.ts';
