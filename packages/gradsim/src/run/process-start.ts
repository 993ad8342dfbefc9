import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The time at which a process began, in words that another process gets too; undefined where none has this id, or it has ended
 * and only its parent has not looked yet. With its id this names a process for good: ids are used again.
 */
export function startOf(pid: number): string | undefined {
  try {
    // EPERM: there is one, of another user.
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  return process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
}

/** The machine's start and the process's clock ticks since then: proc(5), field 22 of `stat`. */
function startOnLinux(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, field 2, is in brackets, and may hold any character.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : `${boot} ${fields[18]}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
}

/** As `ps` prints it; empty where there is no such program, so that an id alone has to do. */
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
