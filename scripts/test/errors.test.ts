import { describe, expect, it } from 'vitest';
import { errorsOfSources, pageOf, storedPage } from '../docs/errors.js';

// The wording of errors is checked here, over all sources; tests of packages match codes (scripts/vitest/to-throw-code.ts).
const errors = errorsOfSources();
const all = [...errors.values()].flat();

describe('codes of errors', () => {
  it('begin with the package, and say what is wrong in words with hyphens', () => {
    for (const code of errors.keys()) expect(code).toMatch(/^[a-z-]+\/[a-z]+(-[a-z]+)*$/);
  });
});

describe('messages of errors', () => {
  it('are those of docs/reference/errors.md, which `node scripts/docs/errors.js` writes', () => {
    expect(storedPage()).toBe(pageOf(errors));
  });

  it('are sentences', () => {
    // `…` is a value; a message that ends with one may end with the message of another error, or with its cause.
    for (const { message } of all) expect(message).toMatch(/[.?…)]( \/ )?$/);
  });

  it('show values by `described`, which never fails: JSON refuses a BigInt, a template an object without a prototype', () => {
    const raw = [...errors].flatMap(([code, own]) =>
      own.flatMap(({ showsRaw, message }) => (showsRaw ? [`${code}: ${message}`] : [])),
    );
    expect(raw).toEqual([]);
  });

  it('have hints that are sentences of their own, or end with a command', () => {
    const hints = all.flatMap(({ hint }) => (hint === '' || hint.startsWith('…') ? [] : [hint]));
    expect(hints.length).toBeGreaterThan(400);
    for (const hint of hints) {
      expect(hint).toMatch(/^[A-Z`-]/);
      expect(hint.trim()).toMatch(/[.?…`)]$|: npm \S.*$/);
    }
  });
});
