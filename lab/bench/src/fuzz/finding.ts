import type { Case, CaseOutcome } from './kind.ts';

/** Judgement of a case: `fine`, or the fault of gradsim that it revealed. */
export type Verdict = 'fine' | 'crash' | 'hang' | 'silent' | 'refusal' | 'unclear';

/** A case, and its judgement. */
export interface Finding {
  readonly kind: string;
  readonly case: number;
  readonly about: string;
  readonly verdict: Verdict;
  readonly detail: string;
}

/** Judged outcome of a case. */
export interface Result {
  readonly about: string;
  readonly verdict: Verdict;
  readonly detail: string;
  readonly came: CaseOutcome['what'];
  /** True if a changed input was accepted with other content, which the format gives no means to detect. */
  readonly isUndetectable: boolean;
}

/** Compares the outcome of a case with the expected one. */
export function judgeCase({ about, expected, names = [] }: Case, came: CaseOutcome): Result {
  const detail = came.what === 'accepted' ? `accepted${came.isSame ? '' : ', with other content'}` : came.message;
  const missing = came.what === 'refused' ? names.filter((name) => !came.message.includes(name)) : [];
  const verdict = missing.length > 0 && expected === 'refused' ? 'unclear' : verdictOf(expected, came);
  const isUndetectable = expected === 'either' && came.what === 'accepted' && !came.isSame;
  return {
    about,
    verdict,
    detail: verdict === 'unclear' ? `names no ${missing.join(', ')}: ${detail}` : detail,
    came: came.what,
    isUndetectable,
  };
}

function verdictOf(expected: Case['expected'], came: CaseOutcome): Verdict {
  if (came.what === 'broke') return came.isSilent ? 'silent' : 'crash';
  if (expected === 'valid') {
    if (came.what === 'refused') return 'refusal';
    return came.isSame ? 'fine' : 'silent';
  }
  return expected === 'refused' && came.what === 'accepted' ? 'silent' : 'fine';
}
