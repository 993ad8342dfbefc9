import type { ChildProcess } from 'node:child_process';

/** Windows has no process groups, and a detached process would open a window. */
const HAS_GROUPS = process.platform !== 'win32';

/** Options of `spawn` and `fork`: the process leads a group of its own, so that its children end with it. */
export const OWN_GROUP = { detached: HAS_GROUPS } as const;

/** Processes whose groups end with this process. */
const running = new Set<ChildProcess>();

/** Ends a process and its children, unless they have left its group. Further calls do nothing. */
export function endGroup(child: ChildProcess): void {
  if (!running.delete(child)) return;
  endGroupOf(child.pid!);
  if (!HAS_GROUPS) child.kill('SIGKILL');
  // Processes that left the group may hold the pipes open, which would keep this process alive.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** Ends the group of a process by its id. */
export function endGroupOf(pid: number): void {
  try {
    if (HAS_GROUPS) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/**
 * Ends the group of a process with that process, and with this one when it exits, also by an uncaught error. Signals
 * are not handled here, since a busy program would then react late: the decoder process notices that this one is gone,
 * and ends itself and the group that it guards.
 */
export function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  running.add(child);
  process.off('exit', endAll);
  process.on('exit', endAll);
  child.once('exit', () => {
    // Its output may still be in transit; its children could hold the pipes open indefinitely.
    endGroupOf(child.pid!);
  });
  child.once('close', () => endGroup(child));
}

function endAll(): void {
  for (const child of [...running]) endGroup(child);
}
