/**
 * Sanitises a program's output for a message: one line without control characters, which a terminal would obey, and
 * truncated.
 */
export function plainText(text: string, most = 200): string {
  // Controls of ASCII and Latin-1, marks that change the text direction, and halves of characters.
  const plain = text
    .slice(0, 4 * most)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim();
  return plain.length > most ? `${plain.slice(0, most)}...` : plain;
}
