/**
 * The exports of the image libraries that are used; the built package contains them in this module. They are pure
 * JavaScript, and return the values stored in a file: a browser's own decoder would convert them for its screen, and a
 * canvas loses colours where a picture is transparent.
 */
export { convertIndexedToRgb, decode as decodePng } from 'fast-png';
export { decode as decodeJpeg } from 'jpeg-js';
