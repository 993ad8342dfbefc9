import { isGradsimError } from '@gradsim/core';
import type { Draw } from './draw.ts';

/** Outcome that an input must have, as far as it is known from how it was made. */
export type Expected =
  /** Accepted, with what was put into it. */
  | 'valid'
  /** Refused: it is wrong in a way that its format shows. */
  | 'refused'
  /** Either: a change that may be harmless, or that the format cannot show. */
  | 'either';

/** Outcome of a case. */
export type Came =
  /** `isSame`: with what was put into the input before it was changed. */
  | { readonly what: 'accepted'; readonly isSame: boolean }
  | { readonly what: 'refused'; readonly message: string }
  /** An error that is no answer to a person, or a result that breaks its own rules: then `isSilent`. */
  | { readonly what: 'broke'; readonly message: string; readonly isSilent?: boolean };

/** One input. */
export interface Case {
  /** In words: its format, and what was changed. */
  readonly about: string;
  readonly expected: Expected;
  /** Field, option or thing that was spoilt, which a refusal has to name. */
  readonly names?: readonly string[];
  /** Gives it to what reads it. */
  readonly read: () => Promise<Came>;
}

/** A kind of inputs. */
export interface Kind {
  readonly name: string;
  /** Seconds after which a case hangs, on a busy machine. */
  readonly limit: number;
  /** Draws a case: the same for the same numbers, on every machine. */
  readonly draw: (random: Draw) => Promise<Case>;
}

/** Something that was accepted, and breaks what is promised of all that is. */
export class WronglyAccepted extends Error {
  /** @param how follows "accepted, but". */
  constructor(how: string) {
    super(`accepted, but ${how}`);
  }
}

/** The same of what no error tells. */
export const wronglyAccepted = (how: string): Came => ({
  what: 'broke',
  isSilent: true,
  message: `accepted, but ${how}`,
});

/**
 * Runs a reader, and tells refusals from breaks.
 */
export async function cameOf(read: () => Promise<boolean>): Promise<Came> {
  try {
    return { what: 'accepted', isSame: await read() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isSilent = error instanceof WronglyAccepted;
    const isMeant =
      isGradsimError(error) && error.code !== 'internal' && !isSilent && !isStumble(error) && message.length > 20;
    return isMeant
      ? { what: 'refused', message }
      : { what: 'broke', isSilent, message: `${(error as Error)?.name}: ${message}` };
  }
}

/** True for an error that JavaScript throws by itself, or that was meant for nobody. */
function isStumble(error: Error): boolean {
  const isOwn = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
  return isOwn || error.message.startsWith('internal:');
}
