/**
 * Answers the question with which `bundlePage` opened the page: posts `of(question)` to the page's origin as JSON, or
 * `{ error }` if `of` throws.
 */
export async function answer<Question, Answer extends object>(of: (question: Question) => Answer): Promise<void> {
  let report: Answer | { readonly error: string };
  try {
    report = of(JSON.parse(document.getElementById('question')!.textContent!));
  } catch (error) {
    report = { error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) };
  }
  await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
}

/** Encodes bytes as base64 text, for JSON. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
}
