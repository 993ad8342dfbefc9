import type { CaseFormat } from './case-format.ts';
import { clothSheet, clothSphere } from './cloth.ts';
import { dibr } from './dibr.ts';
import { rigidBox } from './rigid-box.ts';
import { smokeGrid } from './smoke.ts';
import { implicitBlock, softBlock } from './soft-block.ts';
import { softRaster, softRasterSquare } from './soft-raster.ts';
import { implicitSprings, springChain } from './spring-chain.ts';
import { articulatedTree, doublePendulum, pendulum } from './trees.ts';

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
