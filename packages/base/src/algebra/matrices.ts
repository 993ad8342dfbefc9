/**
 * The part of ml-matrix that is used. In the built package this module contains the library itself: its file for
 * browsers imports a file that only bundlers and Node can read.
 */
export { Matrix, SingularValueDecomposition } from 'ml-matrix';
