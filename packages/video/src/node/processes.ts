import type { ChildProcess } from 'node:child_process';

/** True if processes have groups and can be detached: not on Windows, where a detached process would open a window. */
const HAS_GROUPS = process.platform !== 'win32';

/** Options of `spawn` and `fork` that make the process lead its own process group, which can be ended as a whole. */
export const OWN_GROUP = { detached: HAS_GROUPS } as const;

/** Running processes whose groups are ended when this process exits. */
const runningChildren = new Set<ChildProcess>();

/** Kills a process and its children, unless they have left its group. Further calls do nothing. */
export function endGroup(child: ChildProcess): void {
  if (!runningChildren.delete(child)) return;
  endGroupOf(child.pid!);
  if (!HAS_GROUPS) child.kill('SIGKILL');
  // Processes that left the group may hold the pipes open, which would keep this process alive.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** Kills the process group of the process with this id. */
export function endGroupOf(pid: number): void {
  try {
    if (HAS_GROUPS) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/**
 * Ends a process's group when that process ends, and when this process exits, also by an uncaught error. Signals are
 * not handled here, since a busy program would react to them late: the decoder process notices that this process has
 * ended, and then ends itself and the groups that it guards.
 */
export function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  runningChildren.add(child);
  process.off('exit', endAll);
  process.on('exit', endAll);
  child.once('exit', () => {
    // Its output may still be in transit; its children could hold the pipes open indefinitely.
    endGroupOf(child.pid!);
  });
  child.once('close', () => endGroup(child));
}

function endAll(): void {
  for (const child of [...runningChildren]) endGroup(child);
}
