/** An error in a file, a frame or an option that the caller can correct; the message says how. */
export class VideoError extends Error {
  override readonly name = 'VideoError';
}

/** Returns the message of any thrown value, for quoting a library's reason. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
