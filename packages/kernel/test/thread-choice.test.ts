import { describe, expect, it } from 'vitest';
import type { ThreadMode } from '../src/devices/cpu/thread-choice.ts';
import { ThreadChoice } from '../src/devices/cpu/thread-choice.ts';

/**
 * Returns the time in ms that each mode ran, in calls of 32 rows that take `pace` ms per row; waking threads adds 2 ms.
 */
function run(
  choice: ThreadChoice,
  calls: number,
  pace: Readonly<Record<ThreadMode, number>>,
): Record<ThreadMode, number> {
  const spent = { alone: 0, together: 0 };
  let last: ThreadMode = 'alone';
  for (let call = 0; call < calls; call++)
    for (let left = 32; left > 0; ) {
      const { mode, rows } = choice.nextRun(left, true);
      const ms = rows * pace[mode] + (mode === 'together' && last === 'alone' ? 2 : 0);
      last = mode;
      spent[mode] += ms;
      choice.recordRun(mode, rows, ms);
      left -= rows;
    }
  return spent;
}

const share = ({ alone, together }: Record<ThreadMode, number>): number => together / (alone + together);

describe('the choice between one thread and several', () => {
  it('is one thread while the others start', () => {
    const choice = new ThreadChoice();
    for (let call = 0; call < 20; call++) {
      const { mode, rows } = choice.nextRun(100, false);
      expect(mode).toBe('alone');
      choice.recordRun(mode, rows, rows);
    }
  });

  it('is the faster mode, with less than 8 % of the time in the other', () => {
    for (const ms of [0.01, 0.1, 1, 100]) {
      const gains = new ThreadChoice();
      run(gains, 40, { alone: ms, together: 0.7 * ms });
      expect(share(run(gains, 4000, { alone: ms, together: 0.7 * ms }))).toBeGreaterThan(0.92);
      const loses = new ThreadChoice();
      run(loses, 40, { alone: ms, together: 1.5 * ms });
      expect(share(run(loses, 4000, { alone: ms, together: 1.5 * ms }))).toBeLessThan(0.08);
    }
  });

  it('becomes one thread within 10 calls if several are slowed down, and several again within 600', () => {
    const choice = new ThreadChoice();
    run(choice, 100, { alone: 0.1, together: 0.06 });
    expect(share(run(choice, 50, { alone: 0.1, together: 0.06 }))).toBeGreaterThan(0.9);
    // Another program occupies the other core.
    run(choice, 10, { alone: 0.1, together: 0.3 });
    expect(share(run(choice, 200, { alone: 0.1, together: 0.3 }))).toBeLessThan(0.1);
    // It ends.
    run(choice, 600, { alone: 0.1, together: 0.06 });
    expect(share(run(choice, 200, { alone: 0.1, together: 0.06 }))).toBeGreaterThan(0.9);
  });

  it('is kept after a single slow run', () => {
    const choice = new ThreadChoice();
    run(choice, 100, { alone: 0.1, together: 0.06 });
    run(choice, 1, { alone: 0.1, together: 0.5 });
    expect(choice.nextRun(32, true).mode).toBe('together');
  });
});
