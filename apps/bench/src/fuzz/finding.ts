import type { Came, Case } from './kind.ts';

/** Fault of the program that a case showed. */
export type Verdict = 'fine' | 'crash' | 'hang' | 'silent' | 'refusal' | 'unclear';

/** One case and what came of it. */
export interface Finding {
  readonly kind: string;
  readonly case: number;
  readonly about: string;
  readonly verdict: Verdict;
  readonly detail: string;
}

/** Outcome of a case, for the counts. */
export interface Result {
  readonly about: string;
  readonly verdict: Verdict;
  readonly detail: string;
  readonly came: Came['what'];
  /** Accepted with other content, where the format cannot show the change. */
  readonly isUndetectable: boolean;
}

/** Holds what came against what was to come. */
export function judge({ about, expected, names = [] }: Case, came: Came): Result {
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

function verdictOf(expected: Case['expected'], came: Came): Verdict {
  if (came.what === 'broke') return came.isSilent ? 'silent' : 'crash';
  if (expected === 'valid') {
    if (came.what === 'refused') return 'refusal';
    return came.isSame ? 'fine' : 'silent';
  }
  return expected === 'refused' && came.what === 'accepted' ? 'silent' : 'fine';
}
