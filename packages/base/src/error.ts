/** Origin of an error: the package by its short name (`rigid`), and the pass and the kernel, if any. */
export interface ErrorPlace {
  readonly package: string;
  readonly pass?: string;
  readonly kernel?: string;
}

/** Particulars of an error, each left out where it does not apply. */
export interface ErrorDetails {
  readonly pass?: string;
  readonly kernel?: string;
  /** Field, option or setting at fault, by the name that the user wrote: `bodies.mass`, `memory`. */
  readonly field?: string;
  /** Element at fault, as its owner calls it: `vertex 7 of cloth "flag"`. */
  readonly element?: string;
  /** Advice on what to do about it: one or more whole sentences. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A {@link GradsimError} as data: for `JSON.stringify`, and for another thread. */
export interface ErrorRecord {
  readonly code: string;
  readonly message: string;
  readonly where: ErrorPlace;
  readonly field?: string;
  readonly element?: string;
  readonly hint?: string;
}

/**
 * Error of gradsim that a program can tell from others by its `code`, such as `rigid/no-mass`: the package, and what is
 * wrong. All codes are listed in `docs/reference/errors.md`; the wording of messages may change, codes do not.
 *
 * `message` is for a person: element or kernel at fault, what is wrong with which value, then the hint.
 *
 * ```ts
 * throw new GradsimError('rain/no-drops', `rain.drops is ${drops}.`, {
 *   field: 'rain.drops',
 *   element: scene.describe(cloud),
 *   hint: 'It must be above 0.',
 * });
 * ```
 */
export class GradsimError extends Error {
  readonly code: string;
  readonly where: ErrorPlace;
  readonly field?: string;
  readonly element?: string;
  readonly hint?: string;

  /**
   * @param code package, slash, what is wrong in kebab case. A plugin begins its codes with its own name.
   * @param problem what is wrong, where and with which value: whole sentences, without the hint. A kernel and an
   * element that it does not name are put before it: `body 2: bodies.mass is 0.`, or `body 2 has no mesh.` where it
   * begins with
   * `has` or `is`.
   */
  constructor(code: string, problem: string, details: ErrorDetails = {}) {
    const { pass, kernel, field, element, hint, cause } = details;
    super(sentences(problem, details), cause === undefined ? undefined : { cause });
    this.name = 'GradsimError';
    this.code = code;
    this.where = { package: code.slice(0, Math.max(0, code.indexOf('/'))) || 'kernel', pass, kernel };
    this.field = field;
    this.element = element;
    this.hint = hint;
  }

  /** Recreates the error from a record by {@link toJSON}, for example from another thread. */
  static from({ code, message, where, field, element, hint }: ErrorRecord, cause?: unknown): GradsimError {
    return new GradsimError(code, message, { pass: where.pass, kernel: where.kernel, field, element, hint, cause });
  }

  toJSON(): ErrorRecord {
    const { code, message, where, field, element, hint } = this;
    return { code, message, where, field, element, hint };
  }
}

function sentences(problem: string, { kernel, element, hint }: ErrorDetails): string {
  const owners = [kernel === undefined ? undefined : `kernel ${kernel}`, element];
  const before = owners.filter((owner) => owner !== undefined && !problem.includes(owner)).join(': ');
  const joint = before === '' ? '' : /^(has|is) /.test(problem) ? ' ' : ': ';
  return `${before}${joint}${problem}${hint === undefined || problem.endsWith(hint) ? '' : ` ${hint}`}`;
}

/**
 * Returns whether a value is a {@link GradsimError}, of any installed copy of this package, and has the given code, if
 * any.
 */
export function isGradsimError(error: unknown, code?: string): error is GradsimError {
  const isOurs = error instanceof Error && 'code' in error && 'where' in error && typeof error.code === 'string';
  return isOurs && (code === undefined || error.code === code);
}

/** Error with the code `internal`, for a state that no input should lead to: a defect of gradsim itself. */
export function defect(description: string): GradsimError {
  return new GradsimError('internal', `${description}.`, {
    hint: 'This is a defect of gradsim: please report it.',
  });
}
