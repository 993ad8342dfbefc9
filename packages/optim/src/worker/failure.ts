import { type ErrorRecord, GradsimError, isGradsimError } from '@gradsim/core';

/** An error in a form that can be sent between threads, which would lose its class and getters. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Code and details of a GradsimError; undefined for other errors. */
  readonly record?: ErrorRecord;
  readonly cause?: Failure;
}

/** Maximum number of nested causes that are kept, since causes may form a cycle. */
const MAX_CAUSES = 8;

/** Converts anything that was thrown to a form that can be sent between threads. */
export function failureOf(error: unknown, depth = MAX_CAUSES): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  const record = isGradsimError(error) ? error.toJSON() : undefined;
  const isLast = cause === undefined || depth === 0;
  return { name, message, stack, record, ...(isLast ? {} : { cause: failureOf(cause, depth - 1) }) };
}

export function errorOf({ name, message, stack, record, cause: given }: Failure): Error {
  const cause = given && errorOf(given);
  const error = record ? GradsimError.from(record, cause) : new Error(message, cause ? { cause } : undefined);
  error.name = name;
  if (stack) error.stack = stack;
  return error;
}
