/**
 * What is used of the library that reads and writes glTF. In the built package this module holds that part itself, as
 * the build leaves it: the library as a whole also names modules of Node, at which bundlers for pages stop.
 */
export { Document, GLB_BUFFER, WebIO } from '@gltf-transform/core';
