import type { Device } from '@gradsim/core';
import type { CheckResult } from './errors.ts';
import type { CaseContent, Fields } from './fields.ts';
import { findUnsupported, requireFields } from './fields.ts';

/** A kind of reference case, whose files hold a `Case`. */
interface FormatDefinition<Case extends object> {
  /** Returns whether a case is of this kind, by its line `model` or, if that is ambiguous, by another entry. */
  readonly matches: (model: string, content: CaseContent) => boolean;
  /** Every entry that `check` reads. A case with other entries is not supported: they would be ignored. */
  readonly fields: Fields;
  readonly check: (file: Case, device: Device) => Promise<CheckResult>;
}

/** A case that was read: either a function that checks it on a device, or the reason why it is not supported. */
export type ReadCase = { readonly check: (device: Device) => Promise<CheckResult> } | { readonly unsupported: string };

/** A kind of reference case, independent of the type of its files. */
export interface CaseFormat extends Omit<FormatDefinition<object>, 'check'> {
  /** @throws naming the entry that a case of this kind lacks, or that has another shape. */
  readonly read: (content: CaseContent) => ReadCase;
}

/** Defines a kind of case; `check` receives only cases that have all `fields`. */
export function caseFormat<Case extends object>({ check, ...format }: FormatDefinition<Case>): CaseFormat {
  return {
    ...format,
    read: (content) => {
      const unsupported = findUnsupported(content, format.fields);
      if (unsupported !== undefined) return { unsupported };
      requireFields<Case>(content, format.fields);
      return { check: (device) => check(content, device) };
    },
  };
}
