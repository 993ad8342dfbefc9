export { checkPngHeader } from './png-header.ts';
