export { type JointMotion, writeJointStates } from './mcap/write-joints.ts';
export {
  chosenTable,
  isRecorded,
  nameOf,
  openRecorded,
  openRecordedFile,
  readTableFile,
  withoutPart,
  withTopic,
} from './open.ts';
export type { Holds, Opened, RecordedFile, RecordedPart } from './recorded.ts';
