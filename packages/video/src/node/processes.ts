import type { ChildProcess } from 'node:child_process';

/** On Windows there are no groups, and a detached process would open a window. */
const HAS_GROUPS = process.platform !== 'win32';

/** Options of `spawn` and `fork`: the process leads a group of its own, so that what it starts ends with it. */
export const OWN_GROUP = { detached: HAS_GROUPS } as const;

/** Processes whose groups end with this process. */
const running = new Set<ChildProcess>();

/** Ends a process and all that it has started, unless they have left its group. More calls do nothing. */
export function endGroup(child: ChildProcess): void {
  if (!running.delete(child)) return;
  endGroupOf(child.pid!);
  if (!HAS_GROUPS) child.kill('SIGKILL');
  // What has left the group may hold its ends of the pipes, which would keep this process from ending.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** Ends the group of a process by its id. */
export function endGroupOf(pid: number): void {
  try {
    if (HAS_GROUPS) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Has the group of a process end with that process, and with this one when it exits, also by an uncaught error. Signals are not
 * listened to, since a program that computes would then answer them late: the decoder's process sees that this one is gone, and
 * ends itself and what it guards.
 */
export function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  running.add(child);
  process.off('exit', endAll);
  process.on('exit', endAll);
  child.once('exit', () => {
    // Its output may still be on its way; what it has started holds the pipes open for as long as it likes.
    endGroupOf(child.pid!);
  });
  child.once('close', () => endGroup(child));
}

function endAll(): void {
  for (const child of [...running]) endGroup(child);
}
