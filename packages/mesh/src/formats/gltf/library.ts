/**
 * The exports of the glTF library that are used. The built package contains that part of the library in this module,
 * since the whole library also imports modules of Node, at which bundlers for web pages fail.
 */
export { Document, GLB_BUFFER, WebIO } from '@gltf-transform/core';
