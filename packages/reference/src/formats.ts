import type { Device } from '@gradsim/core';
import { clothSheet, clothSphere } from './cloth.ts';
import type { CheckResult } from './errors.ts';
import type { Fields } from './fields.ts';
import { rigidBox } from './rigid-box.ts';
import { softBlock } from './soft-block.ts';
import { softRaster, softRasterSquare } from './soft-raster.ts';
import { springChain } from './spring-chain.ts';

/** What a reference case holds. */
export type CaseContent = Readonly<Record<string, unknown>>;

/** A kind of reference case, in words. */
export interface ReferenceFormat {
  readonly name: string;
  /** What is simulated or drawn. */
  readonly description: string;
}

/** A kind of reference case. */
export interface CaseFormat extends ReferenceFormat {
  /** Whether a case is of this kind, by its model line; where that does not tell, by an entry. */
  readonly matches: (model: string, content: CaseContent) => boolean;
  /** Every entry that `check` reads. A case with more is not supported: it would be checked without. */
  readonly fields: Fields;
  readonly check: (content: CaseContent, device: Device) => Promise<CheckResult>;
}

/** A case is of the first kind that it matches. */
export const FORMATS: readonly CaseFormat[] = [
  rigidBox,
  springChain,
  softBlock,
  clothSheet,
  clothSphere,
  softRasterSquare,
  softRaster,
];

/** The kinds of cases that there is a check for. */
export const referenceFormats: readonly ReferenceFormat[] = FORMATS;
