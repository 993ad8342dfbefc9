/** Parts used of the library that reads XML; the built package bundles that library into this module. */
export { DOMParser } from '@xmldom/xmldom';
