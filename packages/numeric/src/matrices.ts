/**
 * The part of ml-matrix that is used. In the built package this module holds the library itself: its file for pages loads
 * one that only bundlers and Node can read.
 */
export { Matrix, SingularValueDecomposition } from 'ml-matrix';
