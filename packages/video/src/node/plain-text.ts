/**
 * Makes a program's output safe to quote in a message: one line, truncated, without control characters, which a
 * terminal would interpret.
 */
export function plainText(text: string, maxLength = 200): string {
  // Controls of ASCII and Latin-1, marks that change the text direction, and halves of characters.
  const plain = text
    .slice(0, 4 * maxLength)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}...` : plain;
}
