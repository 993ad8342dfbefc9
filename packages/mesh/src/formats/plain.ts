import type { Texture } from '../mesh.ts';

/** White texture for triangles without a texture, in a mesh in which other triangles have one. */
export const WHITE_TEXTURE: Texture = { width: 1, height: 1, colors: [1, 1, 1] };
