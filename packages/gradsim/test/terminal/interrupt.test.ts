import { afterEach, expect, it, vi } from 'vitest';
import { watchInterrupt } from '../../src/terminal/interrupt.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('watchInterrupt aborts on the first SIGINT, exits with 130 on one a second later, and after dispose has no handler', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as () => never);
  const first = vi.fn();
  const listeners = process.listenerCount('SIGINT');
  const watch = watchInterrupt(first);
  process.emit('SIGINT');
  expect(watch.signal.aborted).toBe(true);
  expect(first).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');
  expect(exit).toHaveBeenCalledWith(130);
  watch.dispose();
  expect(process.listenerCount('SIGINT')).toBe(listeners);
});
