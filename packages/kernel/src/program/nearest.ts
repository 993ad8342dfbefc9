/** `Did you mean "x"?` for a name that is none of those known; else all of them. */
export function suggestion(name: string, known: Iterable<string>): string {
  const names = [...known];
  const [best] = names.map((of) => ({ of, edits: edits(name, of) })).sort((a, b) => a.edits - b.edits);
  if (best && best.edits <= Math.max(1, name.length / 3)) return `Did you mean "${best.of}"?`;
  return `Known: ${names.join(', ') || 'none'}.`;
}

/** The fewest insertions, removals and replacements of letters that make `b` of `a` (Levenshtein distance). */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (a[i] === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
