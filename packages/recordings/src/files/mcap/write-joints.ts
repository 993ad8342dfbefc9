import { loadPackage } from './decoder.ts';

/** Motion of joints, with numbers by joint and sample; efforts are torques, N m, or forces, N. */
export interface JointMotion {
  readonly names: readonly string[];
  /** s. */
  readonly time: ArrayLike<number>;
  readonly positions: readonly ArrayLike<number>[];
  readonly velocities: readonly ArrayLike<number>[];
  readonly efforts: readonly ArrayLike<number>[];
}

/** ns. */
const SECOND = 1_000_000_000n;
const TYPE = 'sensor_msgs/msg/JointState';
const RULE = '='.repeat(80);
/** Definition of that message and of those within it. Source: common_interfaces of ROS 2. */
const DEFINITION = `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
${RULE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
${RULE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;

/**
 * Writes a motion as MCAP: `sensor_msgs/msg/JointState` of ROS 2 in CDR.
 *
 * ```ts
 * const bytes = await writeJointStates({ names: ['elbow'], time, positions: [q], velocities: [v], efforts: [tau] }, '/plan');
 * ```
 * @throws GradsimError if a package that MCAP takes is not installed.
 */
export async function writeJointStates(
  { names, time, positions, velocities, efforts }: JointMotion,
  topic: string,
): Promise<Uint8Array> {
  const { McapWriter, TempBuffer } = await loadPackage<typeof import('@mcap/core')>('@mcap/core');
  const { parse } = await loadPackage<typeof import('@foxglove/rosmsg')>('@foxglove/rosmsg');
  const { MessageWriter } = await loadPackage<typeof import('@foxglove/rosmsg2-serialization')>(
    '@foxglove/rosmsg2-serialization',
  );
  const messages = new MessageWriter(parse(DEFINITION, { ros2: true }));
  const writable = new TempBuffer();
  const writer = new McapWriter({ writable });
  await writer.start({ profile: 'ros2', library: 'gradsim' });
  const data = new TextEncoder().encode(DEFINITION);
  const schemaId = await writer.registerSchema({ name: TYPE, encoding: 'ros2msg', data });
  const channelId = await writer.registerChannel({ topic, messageEncoding: 'cdr', schemaId, metadata: new Map() });
  for (let s = 0; s < time.length; s++) {
    const at = BigInt(Math.round(time[s] * 1e9));
    const stamp = { sec: Number(at / SECOND), nanosec: Number(at % SECOND) };
    const of = (values: readonly ArrayLike<number>[]): number[] => values.map((own) => own[s]);
    const message = {
      header: { stamp, frame_id: '' },
      name: names,
      position: of(positions),
      velocity: of(velocities),
      effort: of(efforts),
    };
    await writer.addMessage({
      channelId,
      sequence: s,
      logTime: at,
      publishTime: at,
      data: messages.writeMessage(message),
    });
  }
  await writer.end();
  return writable.get();
}
