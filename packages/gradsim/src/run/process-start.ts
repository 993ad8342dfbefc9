import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Start time of a process, as a string that is equal in every process that asks; undefined if no process has this id,
 * or it is a zombie. With the id it identifies a process uniquely: ids are reused.
 */
export function startOf(pid: number): string | undefined {
  try {
    // EPERM: it exists, but belongs to another user.
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  return process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
}

/** Boot id of the machine, and the process's start time in clock ticks since boot: proc(5), field 22 of `stat`. */
function startOnLinux(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, field 2, is in brackets, and may contain any character.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : `${boot} ${fields[18]}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

/** Start time as `ps` prints it; empty if there is no `ps`: then the process id alone identifies the process. */
function startElsewhere(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
  } catch {
    return '';
  }
}
