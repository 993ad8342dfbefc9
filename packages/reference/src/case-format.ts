import type { Device } from '@gradsim/core';
import type { CheckResult } from './errors.ts';
import type { CaseContent, Fields } from './fields.ts';

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
