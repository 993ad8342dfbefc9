import { readdirSync, readFileSync } from 'node:fs';

/** Size of a memory page of the operating system, bytes; assumed 4096. */
const PAGE = 4096;

/**
 * Returns the resident memory of a process and all of its descendants, bytes; null if the system has no `/proc`, as
 * only Linux does.
 */
export function memoryOfTree(pid: number): number | null {
  try {
    const parents = new Map(
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [Number(name), parentOf(name)]),
    );
    const isOurs = (process: number): boolean =>
      process === pid || (parents.has(process) && isOurs(parents.get(process)!));
    return [...parents.keys()].filter(isOurs).reduce((sum, process) => sum + bytesOf(process), 0);
  } catch {
    return null;
  }
}

/** Returns the id of a process's parent; 0 if the process has ended. */
function parentOf(process: string): number {
  try {
    // The name before it stands in brackets and may hold anything.
    return Number(readFileSync(`/proc/${process}/stat`, 'utf8').split(')').at(-1)!.split(' ')[2]);
  } catch {
    return 0;
  }
}

function bytesOf(process: number): number {
  try {
    return PAGE * Number(readFileSync(`/proc/${process}/statm`, 'utf8').split(' ')[1]);
  } catch {
    return 0;
  }
}
