import { existsSync } from 'node:fs';

/** Codes of the system for what a machine lacks: room, memory, files, a disk that works. */
const MACHINE_CODES = ['ENOSPC', 'EDQUOT', 'ENOMEM', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'EAGAIN', 'ESTALE'];
/** Codes of files that are not there. */
const MISSING_FILE_CODES = ['ENOENT', 'ENOTDIR'];
/** Maximum number of causes of an error that are looked at. */
const MAX_CAUSES = 20;

/**
 * True if an error of a trial is the machine's: its disk is full, its memory, or one of the folders is gone.
 * @param folders that the trial was given.
 */
export function isMachineTrouble(error: unknown, folders: readonly string[]): boolean {
  let each = error;
  for (let k = 0; k < MAX_CAUSES && typeof each === 'object' && each !== null; k++) {
    const { code, message, cause } = each as { code?: unknown; message?: unknown; cause?: unknown };
    if (typeof code === 'string' && MACHINE_CODES.includes(code)) return true;
    if (typeof code === 'string' && MISSING_FILE_CODES.includes(code))
      return !folders.every((folder) => existsSync(folder));
    if (each instanceof RangeError && /allocation failed/.test(String(message))) return true;
    each = cause;
  }
  return false;
}
