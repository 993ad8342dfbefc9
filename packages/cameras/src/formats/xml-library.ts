/** Used parts of the library that reads XML; the built package holds it in this module. */
export { DOMParser } from '@xmldom/xmldom';
