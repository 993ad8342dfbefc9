import { describe, expect, it } from 'vitest';
import { codesOfPage, errorsOfSources } from '../errors.js';

const errors = errorsOfSources();

describe('codes of errors', () => {
  it('are each listed once in docs/reference/errors.md, and no others', () => {
    expect(codesOfPage().sort()).toEqual(['internal', ...errors.keys()].sort());
  });

  it('begin with the package, and say what is wrong in words with hyphens', () => {
    for (const code of errors.keys()) expect(code).toMatch(/^[a-z-]+\/[a-z]+(-[a-z]+)*$/);
  });

  it('have hints that are sentences of their own', () => {
    const hints = [...errors.values()]
      .flat()
      .flatMap(({ hint }) => (hint === '' || hint.startsWith('…') ? [] : [hint]));
    expect(hints.length).toBeGreaterThan(400);
    for (const hint of hints) expect(hint).toMatch(/^[A-Z`-]/);
  });
});
