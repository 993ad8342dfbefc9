/// <reference path="./papaparse.d.ts" />
import papaparse from 'papaparse/papaparse.min.js';

/** Part used of the library that splits CSV; the built package bundles that library into this module. */
export const { parse } = papaparse;
