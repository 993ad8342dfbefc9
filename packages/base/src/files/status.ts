import { type BigIntStats, fstatSync, lstatSync, statSync } from 'node:fs';

// Sizes are asked for as BigInt: by numbers Node leaves the kind of the last file where its loader of modules takes it for
// that of a package's folder. After a pipe it follows no links, and loads second copies of linked packages
// (nodejs/node#51142).

/** Kind and size of what is at a path, links followed; undefined where nothing is. @throws where it cannot be looked up. */
export const statusOf = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/** Kind and size of what is at a path, links followed. @throws what the file system says where nothing is. */
export const requireStatus = (path: string): BigIntStats => statSync(path, { bigint: true });

/** Kind and size of what is at a path, which may be a link; undefined where nothing is. */
export const statusOfLink = (path: string): BigIntStats | undefined =>
  lstatSync(path, { bigint: true, throwIfNoEntry: false });

/** Kind and size of an open file. */
export const statusOfOpen = (file: number): BigIntStats => fstatSync(file, { bigint: true });

/** True for a regular file, or a link to one; false also for what cannot be looked up. */
export const isFile = (path: string): boolean => isThere(path, (found) => found.isFile());

/** True for a folder, or a link to one; false also for what cannot be looked up. */
export const isFolder = (path: string): boolean => isThere(path, (found) => found.isDirectory());

function isThere(path: string, what: (found: BigIntStats) => boolean): boolean {
  try {
    const found = statusOf(path);
    return found !== undefined && what(found);
  } catch {
    return false;
  }
}

/** Kind of an entry of a folder that is no file, in words. */
export function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
