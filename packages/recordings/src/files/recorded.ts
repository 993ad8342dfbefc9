import type { Table } from '@gradsim/base/tables';

/** Things that the rows of a part tell of: joints of a robot, poses of bodies, points in a film; or columns of any kind. */
export type RowContent = 'joints' | 'poses' | 'tracks' | 'columns';

/** A part of a file that can be read as a table: a topic, an episode, the tracks of a project. */
export interface RecordedPart {
  /** Name by which it is chosen: `/joint_states`, `3`. */
  readonly name: string;
  /** For people: `sensor_msgs/JointState, 2000 messages`. */
  readonly description: string;
  /** Undefined for a part that is not read. */
  readonly rowContent?: RowContent;
  /** Reads it. @throws for one that is not read, or damaged. */
  readonly table: () => Promise<Table>;
}

/** A file of another program, and its parts. */
export interface RecordedFile {
  readonly format: 'mcap' | 'parquet' | 'tracker' | 'kinovea' | 'logger-pro';
  /** For people: `A recording in MCAP`. */
  readonly title: string;
  /** Word for a part: `topic`. */
  readonly partName: string;
  readonly parts: readonly RecordedPart[];
  /** Remarks for people: the calibration of a film. */
  readonly remarks: readonly string[];
}

/** A file to be opened. */
export interface FileToOpen {
  /** Its name in messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Reads a file by its path from this one, if it is there: LeRobot keeps names of columns in another. */
  readonly readRelative?: (path: string) => Promise<Uint8Array | undefined>;
}
