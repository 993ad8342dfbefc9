import type { F32, FieldOf, Kernel } from '@gradsim/core';
import { fieldOn, kernel } from '@gradsim/core';
import type { Grid } from '@gradsim/dynamics';
import { pointOf } from '@gradsim/dynamics/internal';
import type { Material } from './material.ts';

/**
 * Adds the share of a cell that a point covers to the cells around it, as the quadratic B-spline weighs them. In two
 * dimensions `thickness` is the extent of the material along z, m.
 */
export function cover(
  { component, columns, growth }: Material,
  cells: Grid,
  share: FieldOf<F32>,
  thickness = 1,
): Kernel {
  const { position, volume, strain } = component;
  const axes = cells.size.length;
  return kernel(
    `cover_${share.domain}_${component.domain}`,
    {
      domain: component,
      reads: { position, volume, strain, ...columns },
      adds: { share: fieldOn(share) },
    },
    ({ position, volume, strain, share, ...own }) => {
      const part = growth(strain, own)
        .add(1)
        .mul(volume.div((axes === 2 ? thickness : 1) * cells.spacing ** axes));
      for (const { node, weight } of cells.spline2(pointOf(position.components.slice(0, axes))))
        share.add(node, weight.mul(part));
    },
  );
}
