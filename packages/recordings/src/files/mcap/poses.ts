import { type Table, tableOf } from '@gradsim/base/tables';
import { type Stamped, stampOf, timesOf } from './stamps.ts';

/** Pose of a body at a moment. */
interface BodyPose extends Stamped {
  /** Frame of the body, of transforms; else empty. */
  readonly body: string;
  readonly position: readonly number[];
  readonly orientation: readonly number[];
}

type Message = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): Message => {
  if (typeof value === 'object' && value !== null) return value as Message;
  throw new Error('it lacks a field of its type');
};
const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  throw new Error('it lacks a list of its type');
};
const numbersOf = (value: unknown, keys: readonly string[]): number[] => {
  const own = recordOf(value);
  return keys.map((key) => {
    const number = own[key];
    if (typeof number === 'number') return number;
    throw new Error(`it has no number ${key}`);
  });
};
const stampIn = (value: unknown): Pick<BodyPose, 'stamp'> => {
  const stamp = stampOf(value);
  return stamp === undefined ? {} : { stamp };
};

type UnloggedPose = Omit<BodyPose, 'logged'>;

function poseOf(value: unknown, stamp: unknown, body = ''): UnloggedPose {
  const { position, orientation } = recordOf(value);
  return {
    ...stampIn(stamp),
    body,
    position: numbersOf(position, ['x', 'y', 'z']),
    orientation: numbersOf(orientation, ['x', 'y', 'z', 'w']),
  };
}

function transformOf(value: unknown): UnloggedPose {
  const { header, child_frame_id: body, transform } = recordOf(value);
  const { translation, rotation } = recordOf(transform);
  return poseOf({ position: translation, orientation: rotation }, recordOf(header).stamp, String(body ?? ''));
}

/** Transform as Foxglove's own schemas have it. */
function frameTransformOf(value: unknown): UnloggedPose {
  const { timestamp, child_frame_id: body, translation, rotation } = recordOf(value);
  return poseOf({ position: translation, orientation: rotation }, timestamp, String(body ?? ''));
}

const READERS: Readonly<Record<string, (message: Message) => readonly UnloggedPose[]>> = {
  PoseStamped: ({ header, pose }) => [poseOf(pose, recordOf(header).stamp)],
  PoseWithCovarianceStamped: ({ header, pose }) => [poseOf(recordOf(pose).pose, recordOf(header).stamp)],
  Odometry: ({ header, pose }) => [poseOf(recordOf(pose).pose, recordOf(header).stamp)],
  TransformStamped: (message) => [transformOf(message)],
  TFMessage: ({ transforms }) => listOf(transforms).map(transformOf),
  tfMessage: ({ transforms }) => listOf(transforms).map(transformOf),
  PoseInFrame: ({ timestamp, pose }) => [poseOf(pose, timestamp)],
  FrameTransform: (message) => [frameTransformOf(message)],
  FrameTransforms: ({ transforms }) => listOf(transforms).map(frameTransformOf),
};

/** True for messages of poses by the last part of their type's name. */
export const isOfPoses = (type: string): boolean => Object.hasOwn(READERS, type);

/** Reads a message of poses. @throws for one without the fields of its type. */
export const posesIn = (type: string, message: unknown, logged: bigint): BodyPose[] =>
  READERS[type](recordOf(message)).map((pose) => ({ ...pose, logged }));

/** Table of poses; of transforms, with a column for the frame of the body. */
export function poseTable(messages: readonly BodyPose[], name: string): Table {
  const { times, remark } = timesOf(messages);
  const bodies = new Set(messages.map(({ body }) => body));
  const isNamed = bodies.size > 1 || !bodies.has('');
  const rows = messages.map(({ body, position, orientation }, k) => [
    times[k],
    ...(isNamed ? [body] : []),
    ...position,
    ...orientation,
  ]);
  return tableOf(['stamp [ns]', ...(isNamed ? ['body'] : []), 'x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'], rows, {
    name,
    source: remark,
  });
}
