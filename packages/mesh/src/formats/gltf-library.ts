/**
 * Exports of the glTF library that are used. In the built package this module contains that part itself: the whole
 * library also imports modules of Node, which stops bundlers for pages.
 */
export { Document, GLB_BUFFER, WebIO } from '@gltf-transform/core';
