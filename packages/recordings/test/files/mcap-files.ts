import { parse } from '@foxglove/rosmsg';
import { MessageWriter as Ros1Writer } from '@foxglove/rosmsg-serialization';
import { MessageWriter as Ros2Writer } from '@foxglove/rosmsg2-serialization';
import { compress, isLoaded } from '@foxglove/wasm-zstd';
import { McapWriter, TempBuffer } from '@mcap/core';

const LINE = '='.repeat(80);
const HEADER = `${LINE}\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n`;
const TIME = `${LINE}\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n`;
const POSE = `${LINE}\nMSG: geometry_msgs/Pose\ngeometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n${LINE}\nMSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n${LINE}\nMSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n`;
const TRANSFORM = `${LINE}\nMSG: geometry_msgs/TransformStamped\nstd_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n${LINE}\nMSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n${LINE}\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n`;
const POINT = `${LINE}\nMSG: trajectory_msgs/JointTrajectoryPoint\nfloat64[] positions\nfloat64[] velocities\nfloat64[] effort\n`;

/** Definitions of messages, as ROS 2 writes them. */
export const TYPES = {
  'sensor_msgs/msg/JointState': `std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n${HEADER}${TIME}`,
  'control_msgs/msg/JointTrajectoryControllerState': `std_msgs/Header header\nstring[] joint_names\ntrajectory_msgs/JointTrajectoryPoint reference\ntrajectory_msgs/JointTrajectoryPoint feedback\n${POINT}${HEADER}${TIME}`,
  'control_msgs/msg/JointTrajectoryControllerStateStamped': `std_msgs/Header header\nstring[] joint_names\ntrajectory_msgs/JointTrajectoryPoint desired\ntrajectory_msgs/JointTrajectoryPoint actual\n${POINT}${HEADER}${TIME}`,
  'control_msgs/msg/DynamicJointState': `std_msgs/Header header\nstring[] joint_names\ncontrol_msgs/InterfaceValue[] interface_values\n${LINE}\nMSG: control_msgs/InterfaceValue\nstring[] interface_names\nfloat64[] values\n${HEADER}${TIME}`,
  'geometry_msgs/msg/PoseStamped': `std_msgs/Header header\ngeometry_msgs/Pose pose\n${POSE}${HEADER}${TIME}`,
  'nav_msgs/msg/Odometry': `std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n${LINE}\nMSG: geometry_msgs/PoseWithCovariance\ngeometry_msgs/Pose pose\nfloat64[36] covariance\n${POSE}${HEADER}${TIME}`,
  'geometry_msgs/msg/TransformStamped': `std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n${TRANSFORM.split(
    `${LINE}\n`,
  )
    .slice(2)
    .map((part) => `${LINE}\n${part}`)
    .join('')}${POSE}${HEADER}${TIME}`,
  'tf2_msgs/msg/TFMessage': `geometry_msgs/TransformStamped[] transforms\n${TRANSFORM}${POSE}${HEADER}${TIME}`,
  'std_msgs/msg/String': 'string data\n',
} as const;

export type Type = keyof typeof TYPES;
export type Encoding = 'cdr' | 'ros1' | 'json';

/** A topic and its messages: what each says, and when it was recorded, ns. */
export interface Sent {
  readonly topic: string;
  readonly type: Type;
  readonly encoding?: Encoding;
  readonly messages: readonly { readonly data: object; readonly at: bigint }[];
}

/** Definition of a type as ROS 1 has it, whose times are of a type of its own. */
const ros1 = (type: Type): string =>
  TYPES[type].replaceAll('builtin_interfaces/Time stamp', 'time stamp').replace(TIME, '');

function writerOf(type: Type, encoding: Encoding): (data: object) => Uint8Array {
  if (encoding === 'json') return (data) => new TextEncoder().encode(JSON.stringify(data));
  if (encoding === 'ros1') {
    const writer = new Ros1Writer(parse(ros1(type)));
    return (data) => writer.writeMessage(data);
  }
  const writer = new Ros2Writer(parse(TYPES[type], { ros2: true }));
  return (data) => writer.writeMessage(data);
}

/** Frame of LZ4 with blocks of literals alone. */
function lz4(data: Uint8Array): Uint8Array {
  const blocks: number[] = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
  const word = (x: number): number[] => [x & 255, (x >>> 8) & 255, (x >>> 16) & 255, x >>> 24];
  for (let at = 0; at < data.length; at += 60_000) {
    const part = data.subarray(at, at + 60_000);
    const rest = part.length - 15;
    const head = rest < 0 ? [part.length << 4] : [0xf0, ...Array<number>(Math.floor(rest / 255)).fill(255), rest % 255];
    blocks.push(...word(head.length + part.length), ...head);
    for (const byte of part) blocks.push(byte);
  }
  return Uint8Array.from([...blocks, 0, 0, 0, 0]);
}

/** Bytes of an MCAP file. */
export async function mcapOf(
  topics: readonly Sent[],
  { compression = '' as '' | 'zstd' | 'lz4', chunkSize = 4000 } = {},
): Promise<Uint8Array> {
  await isLoaded;
  const buffer = new TempBuffer();
  const compressChunk =
    compression === ''
      ? {}
      : {
          compressChunk: (data: Uint8Array) => ({
            compression,
            compressedData: compression === 'zstd' ? Uint8Array.from(compress(data)) : lz4(data),
          }),
        };
  const writer = new McapWriter({ writable: buffer, chunkSize, ...compressChunk });
  await writer.start({ profile: 'ros2', library: 'a test' });
  for (const { topic, type, encoding = 'cdr', messages } of topics) {
    const data = new TextEncoder().encode(encoding === 'json' ? '{}' : encoding === 'ros1' ? ros1(type) : TYPES[type]);
    const schemaEncoding = { cdr: 'ros2msg', ros1: 'ros1msg', json: 'jsonschema' }[encoding];
    const schemaId = await writer.registerSchema({ name: type, encoding: schemaEncoding, data });
    const channelId = await writer.registerChannel({ topic, messageEncoding: encoding, schemaId, metadata: new Map() });
    const write = writerOf(type, encoding);
    for (const [sequence, { data: message, at }] of messages.entries())
      await writer.addMessage({ channelId, sequence, logTime: at, publishTime: at, data: write(message) });
  }
  await writer.end();
  return buffer.get();
}
