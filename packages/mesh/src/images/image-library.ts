/**
 * What is used of the libraries that read images; the built package holds it in this module. They are
 * JavaScript alone, and give the values that are in a file: a browser's own decoder would give them for its screen, and
 * a canvas loses colours where a picture is transparent.
 */
export { convertIndexedToRgb, decode as decodePng } from 'fast-png';
export { decode as decodeJpeg } from 'jpeg-js';
