/** An error as it goes from thread to thread: class and getters stay behind. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: Failure;
}

/** Causes of causes are followed so far: they may go in a circle. */
const DEPTH = 8;

/** @param error anything that was thrown. */
export function failureOf(error: unknown, depth = DEPTH): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack, cause } = error;
  const isLast = cause === undefined || depth === 0;
  return { name, message, stack, ...(isLast ? {} : { cause: failureOf(cause, depth - 1) }) };
}

export function errorOf({ name, message, stack, cause }: Failure): Error {
  const error = new Error(message, cause ? { cause: errorOf(cause) } : undefined);
  error.name = name;
  if (stack) error.stack = stack;
  return error;
}
