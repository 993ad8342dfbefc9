import { describeValue, refuseUnknownOptions } from '@gradsim/base';
import type { FieldKey } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { Finding } from './finding.ts';

/** Result of a check: a finding without its kind, critical as the check says unless it says otherwise itself. */
export type Remark = Omit<Finding, 'kind' | 'isCritical'> & Partial<Pick<Finding, 'isCritical'>>;

/** A remark, or nothing, so that `is wrong && { note }` is one. */
export type Maybe = Remark | false | null | undefined;

/** `Of` in which the properties `Needs` are present. */
export type WithPresent<Of, Needs extends keyof Of> = Of & { readonly [K in Needs]-?: NonNullable<Of[K]> };

/** A check of a result `Of`, such as a {@link Posterior}; its findings become part of the verdict. */
export interface Check<Of, Needs extends keyof Of = never> {
  /** Kind of its findings; several checks may have the same. */
  readonly kind: string;
  /** Place of its findings in the verdict, lowest first; all critical findings come before all others. */
  readonly rank: number;
  /** True if its findings make a result untrusted, unless one of them says otherwise. */
  readonly isCritical: boolean;
  /** Properties of the result without which (null or undefined) the check is not made. Default: none. */
  readonly needs?: readonly Needs[];
  /** Fields to record at the estimate, for its `predicted`. */
  readonly fields?: readonly FieldKey[];
  /** Advice for the error of a search that fails, before there is a result to check. */
  readonly hint?: string;
  /**
   * Checks a result. Returns what it found: a remark, several, or nothing.
   * @param before findings of the checks before it.
   */
  readonly find: (of: WithPresent<Of, Needs>, before: readonly Finding[]) => Maybe | readonly Maybe[];
}

/** Any check of a result `Of`, whatever it needs. */
export type AnyCheck<Of> = Check<Of, keyof Of>;

const CHECK_KEYS = { kind: true, rank: true, isCritical: true, needs: true, fields: true, hint: true, find: true };

/** Findings of some checks about a result, critical ones first. */
export function findingsOf<Of extends object>(result: Of, checks: readonly AnyCheck<Of>[]): Finding[] {
  const found: { readonly finding: Finding; readonly rank: number }[] = [];
  for (const { kind, rank, isCritical, needs = [], find } of checks) {
    if (needs.some((name) => result[name] === null || result[name] === undefined)) continue;
    const before = found.map(({ finding }) => finding);
    const remarks = remarksIn(kind, () => find(result as WithPresent<Of, keyof Of>, before));
    for (const { isCritical: own = isCritical, unknowns, note } of remarks)
      found.push({ rank, finding: { kind, isCritical: own, ...(unknowns && { unknowns }), note } });
  }
  const order = (a: Finding, b: Finding): number => Number(b.isCritical) - Number(a.isCritical);
  return found.sort((a, b) => order(a.finding, b.finding) || a.rank - b.rank).map(({ finding }) => finding);
}

/** Remarks that a check returns. @throws what it throws, with its kind, and for what is no remark. */
function remarksIn(kind: string, find: () => Maybe | readonly Maybe[]): Remark[] {
  let found: Maybe | readonly Maybe[];
  try {
    found = find();
  } catch (error) {
    throw new GradsimError(
      'optim/check-failed',
      `The check "${kind}" failed: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
  const odd = [found].flat().find((remark) => remark && typeof remark.note !== 'string');
  if (odd)
    throw new GradsimError('optim/wrong-type', `The check "${kind}" returned ${describeValue(odd)}.`, {
      hint: 'Return a finding, { note: "..." }, a list of them, or nothing (false, null, undefined).',
    });
  return remarksOf(found);
}

/** Remarks among what a check returned. */
export const remarksOf = (returned: Maybe | readonly Maybe[]): Remark[] =>
  [returned].flat().filter((remark): remark is Remark => Boolean(remark));

/** True if no finding is critical. */
export const isTrusted = (findings: readonly Finding[]): boolean => !findings.some(({ isCritical }) => isCritical);

/** Checks a list of checks. @throws for one that is malformed, or needs a property that results do not have. */
export function refuseChecks<Of>(checks: readonly AnyCheck<Of>[], knownProperties: readonly (keyof Of)[]): void {
  if (!Array.isArray(checks))
    throw new GradsimError('optim/wrong-type', `The option \`checks\` must be a list, got ${describeValue(checks)}.`);
  checks.forEach((check, k) => {
    const what = `Check ${k + 1} of the option \`checks\``;
    const { kind, rank, isCritical, needs = [], find } = check ?? {};
    const isOne = typeof kind === 'string' && Number.isFinite(rank) && typeof isCritical === 'boolean';
    if (!isOne || !Array.isArray(needs) || typeof find !== 'function')
      throw new GradsimError('optim/wrong-type', `${what} is no check.`, {
        hint: 'It must have a text `kind`, a number `rank`, `isCritical`, a function `find`, and may have a list `needs`.',
      });
    refuseUnknownOptions(what, check, CHECK_KEYS);
    const unknown = needs.find((name) => !knownProperties.includes(name));
    if (unknown !== undefined)
      throw new GradsimError('optim/unknown-choice', `${what}, "${kind}", needs "${String(unknown)}".`, {
        hint: `A result has ${knownProperties.join(', ')}.`,
      });
  });
}
