/** The library that fills polygons; the built package bundles it into this module. */
export { default as earcut } from 'earcut';
