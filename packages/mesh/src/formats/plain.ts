import type { Texture } from '../mesh.ts';

/** White, for triangles without a texture beside others that have one. */
export const PLAIN: Texture = { width: 1, height: 1, colors: [1, 1, 1] };
