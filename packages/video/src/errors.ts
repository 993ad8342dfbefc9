/** Returns the message of any thrown value, so that it can be quoted. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
