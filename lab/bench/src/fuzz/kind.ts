import { isGradsimError } from '@gradsim/core';
import type { Draw } from './draw.ts';

/** Expected outcome of an input, as far as the way it was made determines it. */
export type Expected =
  /** The input is valid: it must be accepted, and read with its original content. */
  | 'valid'
  /** The input is invalid in a way that its format reveals: it must be refused. */
  | 'refused'
  /** May be accepted or refused: the change may be harmless, or one that the format cannot reveal. */
  | 'either';

/** Actual outcome of a case. */
export type CaseOutcome =
  /** Accepted; `isSame` is true if the content read is that of the input before it was changed. */
  | { readonly what: 'accepted'; readonly isSame: boolean }
  | { readonly what: 'refused'; readonly message: string }
  /** Failed with an error not meant for users, or (`isSilent`) returned a result that violates what is guaranteed. */
  | { readonly what: 'broke'; readonly message: string; readonly isSilent?: boolean };

/** One fuzzing case: an input, and the function that reads it. */
export interface Case {
  /** Description of the input: its format and what was changed. */
  readonly about: string;
  readonly expected: Expected;
  /** Words that the refusal must contain, such as the invalid field or option. */
  readonly names?: readonly string[];
  /** Reads the input and returns the outcome. */
  readonly read: () => Promise<CaseOutcome>;
}

/** A kind of fuzzing input, for example meshes or command lines. */
export interface Kind {
  readonly name: string;
  /** Time after which a case counts as hung, s; long enough for a busy machine. */
  readonly limit: number;
  /** Draws a case. Equal random numbers give an equal case on every machine. */
  readonly draw: (random: Draw) => Promise<Case>;
}

/** Thrown when an input was accepted, but the result violates what the reader guarantees. */
export class WronglyAccepted extends Error {
  /** @param how completes the sentence "accepted, but ...". */
  constructor(how: string) {
    super(`accepted, but ${how}`);
  }
}

/** Outcome of an input that was accepted without an error, although it should not have been. */
export const wronglyAccepted = (how: string): CaseOutcome => ({
  what: 'broke',
  isSilent: true,
  message: `accepted, but ${how}`,
});

/** Runs a reader and classifies its outcome: accepted, refused with a proper message, or broken. */
export async function outcomeOf(read: () => Promise<boolean>): Promise<CaseOutcome> {
  try {
    return { what: 'accepted', isSame: await read() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isSilent = error instanceof WronglyAccepted;
    const isMeant =
      isGradsimError(error) &&
      error.code !== 'internal' &&
      !isSilent &&
      !isUnhandledError(error) &&
      message.length > 20;
    return isMeant
      ? { what: 'refused', message }
      : { what: 'broke', isSilent, message: `${(error as Error)?.name}: ${message}` };
  }
}

/** True for an error that JavaScript itself throws, or an internal one whose message is not meant for users. */
function isUnhandledError(error: Error): boolean {
  const isOwn = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return isOwn || error.message.startsWith('internal:');
}
