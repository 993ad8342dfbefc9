/** Returns the message of any thrown value, for quoting a library's reason. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
