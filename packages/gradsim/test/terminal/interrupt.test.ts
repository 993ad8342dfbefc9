import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
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

it('a hasty watch ends the process within a second after SIGTERM, not after SIGINT, nor once it is disposed of', () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as () => never);
  const after = (signal: NodeJS.Signals, isDisposed = false): unknown => {
    exit.mockClear();
    const ended = vi.fn();
    const watch = watchInterrupt(() => {}, ended, true);
    process.emit(signal);
    if (isDisposed) watch.dispose();
    vi.advanceTimersByTime(900);
    watch.dispose();
    return [...exit.mock.calls.flat(), ended.mock.calls.length];
  };
  expect(after('SIGTERM')).toEqual([143, 1]);
  expect(after('SIGHUP')).toEqual([129, 1]);
  expect(after('SIGINT')).toEqual([0]);
  expect(after('SIGTERM', true)).toEqual([0]);
});

it.skipIf(process.platform === 'win32')('a command that npm started ends when npm is killed', async () => {
  const path = (of: string): string => fileURLToPath(new URL(of, import.meta.url));
  const args = [path('../../node_modules/jiti/lib/jiti-cli.mjs'), path('../fixtures/idle.ts')];
  const npm = spawn('sh', ['-c', '"$@" & wait', 'sh', process.execPath, ...args], {
    env: { ...process.env, npm_lifecycle_event: 'gradsim' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number(String((await once(npm.stdout, 'data'))[0]));
  expect(process.kill(pid, 0)).toBe(true);
  npm.kill('SIGKILL');
  // The command holds this pipe.
  await once(npm.stdout, 'close');
});
