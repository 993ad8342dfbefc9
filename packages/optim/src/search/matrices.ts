/**
 * What is used of ml-matrix. In the built package this module holds the library itself: its file for pages loads one
 * that only bundlers and Node can read.
 */
export { EigenvalueDecomposition, Matrix } from 'ml-matrix';
