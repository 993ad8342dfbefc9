import type { Texture } from '../mesh.ts';

/** White texture, for triangles without one in a mesh where others have one. */
export const PLAIN: Texture = { width: 1, height: 1, colors: [1, 1, 1] };
