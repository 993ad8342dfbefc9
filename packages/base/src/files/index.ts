export {
  type FileLimits,
  FileRefused,
  readBytes,
  readBytesSync,
  readText,
  readTextSync,
  reasonOfSystem,
  requireReadable,
} from './read-file.ts';
export { isFile, isFolder, kindOf, statusOf, statusOfOpen } from './status.ts';
export { textOf } from './text-of.ts';
export { requireReplaceable, writeWhole } from './write-file.ts';
