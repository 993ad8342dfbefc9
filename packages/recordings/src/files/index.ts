export { type JointMotion, writeJointStates } from './mcap/write-joints.ts';
export {
  filePartPath as withTopic,
  isRecorded,
  nameOf,
  openRecorded,
  openRecordedFile,
  readChosenTable as chosenTable,
  readTableFile,
  splitPart as withoutPart,
} from './open.ts';
export type { FileToOpen as Opened, RecordedFile, RecordedPart, RowContent as Holds } from './recorded.ts';
