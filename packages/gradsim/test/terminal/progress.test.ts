import { afterEach, expect, it, vi } from 'vitest';
import { readingLines } from '../../src/terminal/progress.ts';

afterEach(() => vi.useRealTimers());

it('a long reading is said ever less often, with what is left, and what follows it; a short one is not', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const read = (seconds: number): string[] => {
    const said: string[] = [];
    const progress = readingLines((line) => said.push(line));
    for (let second = 1; second <= seconds; second++) {
      vi.advanceTimersByTime(1000);
      progress('reading', second / seconds);
    }
    progress('masks', 0);
    return said;
  };
  expect(read(2)).toEqual([]);
  const long = read(100);
  expect(long[0]).toBe('Reading the film: 2 %, some 1 min 38 s left');
  expect(long.at(-1)).toBe('Looking for what moves in it.');
  expect(long.length).toBeLessThan(20);
});
