import type { Plugin } from '@gradsim/core';
import { definePlugin, Surfaces } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';

/**
 * Sets the colours of links to those of their meshes' triangles, which links do not use by default.
 *
 * @param meshes by link.
 */
export const linkColors = (meshes: readonly TriangleMesh[]): Plugin =>
  definePlugin({
    name: 'bench/link-colors',
    contract: 1,
    amends: [Surfaces],
    build: ({ model }) => {
      let next = 0;
      model.amend(Surfaces, (surface) => ({ ...surface, triangleColors: meshes[next++].colors }));
    },
  });
