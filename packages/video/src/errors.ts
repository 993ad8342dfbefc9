/** A problem with a file, a frame or an option that the caller can put right; the message says how. */
export class VideoError extends Error {
  override readonly name = 'VideoError';
}

/** Message of anything that was thrown, for quoting a library's reason inside our own sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
