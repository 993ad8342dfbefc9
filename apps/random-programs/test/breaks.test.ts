import { readFileSync } from 'node:fs';
import { BREAKS } from '@gradsim/random-programs';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';

const packages = new URL('../../../packages/', import.meta.url);

// That each is caught is what `bench -- breaks` shows, in some minutes.
describe('deliberate breaks', () => {
  it('are at least 140, each another change', () => {
    expect(new Set(BREAKS.map((b) => JSON.stringify(b))).size).toBe(BREAKS.length);
    expect(BREAKS.length).toBeGreaterThanOrEqual(140);
  });

  it.each(BREAKS)('$file: $from', ({ file, from, to }) => {
    const text = readFileSync(new URL(file, packages), 'utf8');
    expect(text.split(from).length - 1).toBe(1);
    expect(to).not.toBe(from);
    parseAst(
      text.replace(from, () => to),
      { lang: 'ts' },
    );
  });
});
