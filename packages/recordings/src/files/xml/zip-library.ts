/** Part used of the library that reads ZIP; the built package bundles that library into this module. */
export { unzipSync } from 'fflate';
