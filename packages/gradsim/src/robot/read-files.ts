import { basename, dirname, join } from 'node:path';
import { type FileRefused, readBytes, readBytesSync, textOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { JointLog, Robot } from '@gradsim/robots';
import { readJointLog, readMjcf, readUrdf, unloggedJoints } from '@gradsim/robots';

/** A robot and the text of its file. */
export interface RobotFile {
  readonly robot: Robot;
  readonly text: string;
  /** False of MJCF. */
  readonly isUrdf: boolean;
}

/**
 * Reads a robot from URDF or MJCF, whichever its first element says, without its shapes; included files, and meshes
 * that masses are computed from, are taken from the folder of the file.
 * @throws GradsimError for a file that cannot be read, that is neither, or that the reader refuses.
 */
export async function readRobotFile(path: string): Promise<RobotFile> {
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
    shapes: 'none',
    readFile: (part: string) => readBytes(join(dirname(path), part), { within: dirname(path) }),
  } as const;
  const isUrdf = root === 'robot';
  return { text, isUrdf, robot: await (isUrdf ? readUrdf : readMjcf)(text, options) };
}

/** Joints of a robot of which none of the logs has a column, as those of a gripper that stands still. */
export function unloggedIn(paths: readonly string[], robot: Robot): string[] {
  const [first = [], ...others] = paths.map((path) => unloggedJoints(bytesOf(path), robot, basename(path)));
  return first.filter((joint) => others.every((names) => names.includes(joint)));
}

/** Reads the log of a robot's joints. @throws GradsimError for a file that cannot be read, and for a damaged log. */
export const readLogFile = (path: string, robot: Robot): JointLog => readJointLog(bytesOf(path), robot, basename(path));

function bytesOf(path: string): Uint8Array {
  try {
    return readBytesSync(path);
  } catch (cause) {
    throw new GradsimError('gradsim/file-unreadable', `${path} cannot be read: ${(cause as FileRefused).reason}.`, {
      cause,
    });
  }
}
