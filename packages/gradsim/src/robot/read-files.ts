import { basename, dirname, join } from 'node:path';
import { FileRefused, readBytes, readBytesSync, textOf } from '@gradsim/base/files';
import type { TableInput } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import { nameOf, readTableFile } from '@gradsim/recordings/files';
import type { Robot } from '@gradsim/robots';
import { hasBase, readMjcf, readUrdf, unloggedJoints } from '@gradsim/robots';

/** A robot and the text of its file. */
export interface RobotFile {
  readonly robot: Robot;
  readonly text: string;
  /** False of MJCF. */
  readonly isUrdf: boolean;
}

/**
 * Reads a robot from URDF or MJCF, whichever its first element says; included files, and meshes
 * that masses are computed from, are taken from the folder of the file.
 * @param shapes `collision` for links with meshes.
 * @param logs of which one with the pose of a base says that the base of a URDF floats.
 * @throws GradsimError for a file that cannot be read, that is neither, or that the reader refuses.
 */
export async function readRobotFile(
  path: string,
  logs: readonly LogFile[] = [],
  shapes: 'none' | 'collision' = 'none',
): Promise<RobotFile> {
  const text = textOf(bytesOf(path));
  // A comment without an end goes to the end.
  const root = /<([^\s<>/!?]+)/.exec(text.replace(/<!--[\s\S]*?(?:-->|$)/g, ''))?.[1];
  if (root !== 'robot' && root !== 'mujoco')
    throw new GradsimError('gradsim/not-a-robot', `${path} is no robot: its first element is ${root ?? 'not there'}.`, {
      hint: 'Give a URDF, which begins with <robot>, or an MJCF, which begins with <mujoco>.',
    });
  // Torques do not need meshes; of MJCF some give masses.
  const options = {
    file: path,
    shapes,
    readFile: (part: string) => readBytes(join(dirname(path), part), { insideFolder: dirname(path) }),
  } as const;
  const isUrdf = root === 'robot';
  const base = logs.some(({ name, table }) => hasBase(table, name)) ? 'free' : 'fixed';
  return { text, isUrdf, robot: await (isUrdf ? readUrdf(text, { ...options, base }) : readMjcf(text, options)) };
}

/** A log of joints as it is read from a file, before a robot says what its columns are. */
export interface LogFile {
  /** Name in messages. */
  readonly name: string;
  readonly table: TableInput;
}

/** Reads the file of a log: a table of text, or a part of a recording, as in `run.mcap#/joint_states`. */
export async function readLogFile(path: string): Promise<LogFile> {
  try {
    const table = await readTableFile(path, 'joints');
    return { name: nameOf(table, basename(path)), table };
  } catch (cause) {
    throw cause instanceof FileRefused ? unreadable(path, cause) : cause;
  }
}

/** Joints of a robot of which none of the logs has a column, as those of a gripper that stands still. */
export function unloggedIn(logs: readonly LogFile[], robot: Robot): string[] {
  const [first = [], ...others] = logs.map(({ name, table }) => unloggedJoints(table, robot, name));
  return first.filter((joint) => others.every((names) => names.includes(joint)));
}

function bytesOf(path: string): Uint8Array {
  try {
    return readBytesSync(path);
  } catch (cause) {
    throw unreadable(path, cause as FileRefused);
  }
}

const unreadable = (path: string, cause: FileRefused): GradsimError =>
  new GradsimError('gradsim/file-unreadable', `${path} cannot be read: ${cause.reason}.`, { cause });
