import type { Plugin } from '@gradsim/core';
import { definePlugin, Surfaces } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';

/**
 * Plugin that colours links by the triangle colours of their meshes, which links otherwise ignore.
 *
 * @param meshes one mesh per link.
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
