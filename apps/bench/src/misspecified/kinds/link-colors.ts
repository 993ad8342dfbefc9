import type { Plugin } from '@gradsim/core';
import { definePlugin, Surfaces } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';

/** Gives links the colours of their meshes' triangles, which they do not take from those by themselves. @param meshes by link. */
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
