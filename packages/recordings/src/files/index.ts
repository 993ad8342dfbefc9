export { type JointMotion, writeJointStates } from './mcap/write-joints.ts';
export {
  filePartPath,
  isRecorded,
  nameOf,
  openRecorded,
  openRecordedFile,
  readChosenTable,
  readTableFile,
  splitPart,
} from './open.ts';
export type { FileToOpen, RecordedFile, RecordedPart, RowContent } from './recorded.ts';
