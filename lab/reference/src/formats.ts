import type { CaseFormat } from './case-format.ts';
import { clothSheet, clothSphere } from './cases/cloth.ts';
import { dibr } from './cases/dibr.ts';
import { rigidBox } from './cases/rigid-box.ts';
import { smokeGrid } from './cases/smoke.ts';
import { implicitBlock, softBlock } from './cases/soft-block.ts';
import { softRaster, softRasterSquare } from './cases/soft-raster.ts';
import { implicitSprings, springChain } from './cases/spring-chain.ts';
import { articulatedTree, doublePendulum, pendulum } from './cases/trees.ts';

/** All formats. A case belongs to the first one that it matches. */
export const FORMATS: readonly CaseFormat[] = [
  rigidBox,
  pendulum,
  doublePendulum,
  articulatedTree,
  smokeGrid,
  implicitSprings,
  springChain,
  implicitBlock,
  softBlock,
  clothSheet,
  clothSphere,
  softRasterSquare,
  softRaster,
  dibr,
];
