import { compress, isLoaded } from '@foxglove/wasm-zstd';
import { readPoses } from '@gradsim/recordings/poses';
import { readJointLog, readUrdf } from '@gradsim/robots';
import { McapRecordBuilder } from '@mcap/core';
import { describe, expect, it } from 'vitest';
import { optionalPackages } from '../../src/files/faults.ts';
import { openRecorded, readChosenTable } from '../../src/files/index.ts';
import { type Encoding, mcapOf, type Sent, type Type } from './mcap-files.ts';

const START = 1_700_000_000n * 1_000_000_000n;
const STEP = 10_000_000n;
const COUNT = 60;

/** Stamp k of a header, with the names that both versions of ROS have. */
const header = (k: number, isSet = true) => {
  const t = START + BigInt(k) * STEP;
  const [sec, nsec] = isSet ? [Number(t / 1_000_000_000n), Number(t % 1_000_000_000n)] : [0, 0];
  return { stamp: { sec, nsec, nanosec: nsec }, frame_id: 'base' };
};
/** Time of recording: later than the stamp, and never evenly. */
const logged = (k: number): bigint => START + BigInt(k) * STEP + 3_000_000n + BigInt((k * 7919) % 1_000_000);
const messages = (of: (k: number) => object, count = COUNT) =>
  Array.from({ length: count }, (_, k) => ({ data: of(k), at: logged(k) }));

const q = (k: number): number => 0.3 * Math.sin(0.1 * k);
const joints = (names: readonly string[], isSet = true) =>
  messages((k) => ({
    header: header(k, isSet),
    name: names,
    position: names.map((_, j) => q(k + j)),
    velocity: [],
    effort: names.map((_, j) => 2 * q(k + 3 + j)),
  }));
const pose = (k: number) => ({ position: { x: k / 100, y: 2, z: 3 }, orientation: { x: 0, y: 0, z: 0, w: 1 } });
const transform = (k: number, body: string) => ({
  header: header(k),
  child_frame_id: body,
  transform: { translation: pose(k).position, rotation: pose(k).orientation },
});

const sent = (topic: string, type: Type, own: Sent['messages'], encoding?: Encoding): Sent => ({
  topic,
  type,
  messages: own,
  ...(encoding ? { encoding } : {}),
});
const arm = () =>
  readUrdf(
    `<robot name="arm"><link name="base"/>${['shoulder', 'elbow']
      .map(
        (name, k) =>
          `<link name="l${k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="${name}" type="continuous"><parent link="${k === 0 ? 'base' : 'l0'}"/><child link="l${k}"/></joint>`,
      )
      .join('')}</robot>`,
  );

async function open(bytes: Uint8Array) {
  return (await openRecorded({ name: 'run.mcap', bytes }))!;
}
const table = async (bytes: Uint8Array, holds: 'joints' | 'poses', part?: string) =>
  readChosenTable(await open(bytes), { name: 'run.mcap', holds, ...(part === undefined ? {} : { part }) });
const chatter = sent(
  '/rosout',
  'std_msgs/msg/String',
  messages(() => ({ data: 'hello' }), 3),
);

describe('MCAP', () => {
  it.each<[Encoding, '' | 'zstd' | 'lz4']>([
    ['cdr', ''],
    ['cdr', 'zstd'],
    ['cdr', 'lz4'],
    ['ros1', 'zstd'],
    ['ros1', 'lz4'],
    ['json', 'zstd'],
  ])('gives the log of joints that was sent as %s in chunks of "%s"', async (encoding, compression) => {
    const own = sent('/joint_states', 'sensor_msgs/msg/JointState', joints(['elbow', 'shoulder']), encoding);
    const bytes = await mcapOf([chatter, own], { compression });
    const log = readJointLog(await table(bytes, 'joints'), await arm());
    expect(log.positions[0]).toEqual(Array.from({ length: COUNT }, (_, k) => q(k + 1)));
    expect(log.torques[1]).toEqual(Array.from({ length: COUNT }, (_, k) => 2 * q(k + 3)));
    expect(log.time.at(-1)).toBeCloseTo((COUNT - 1) / 100, 9);
    expect(log.readingNotes).toBe('stamps of headers; time in ns since 1970; 100 samples a second');
  });

  it('takes times of recording where headers have no stamps, and says so', async () => {
    const bytes = await mcapOf([
      sent('/joint_states', 'sensor_msgs/msg/JointState', joints(['shoulder', 'elbow'], false)),
    ]);
    const log = readJointLog(await table(bytes, 'joints'), await arm());
    expect(log.readingNotes).toContain('headers without stamps, times of recording');
    expect(log.time[1]).toBeCloseTo(Number(logged(1) - logged(0)) / 1e9, 12);
  });

  it.each<[Type, (k: number) => object]>([
    [
      'control_msgs/msg/JointTrajectoryControllerState',
      (k) => ({ reference: { positions: [9, 9], velocities: [], effort: [] }, feedback: measured(k) }),
    ],
    [
      'control_msgs/msg/JointTrajectoryControllerStateStamped',
      (k) => ({ desired: { positions: [9, 9], velocities: [], effort: [] }, actual: measured(k) }),
    ],
    [
      'control_msgs/msg/DynamicJointState',
      (k) => ({
        interface_values: [0, 1].map((j) => ({
          interface_names: ['temperature', 'effort', 'position'],
          values: [40, measured(k).effort[j], measured(k).positions[j]],
        })),
      }),
    ],
  ])('reads what was measured from %s', async (type, of) => {
    const own = messages((k) => ({ header: header(k), joint_names: ['shoulder', 'elbow'], ...of(k) }));
    const log = readJointLog(await table(await mcapOf([sent('/state', type, own)]), 'joints'), await arm());
    expect(log.positions[1][7]).toBe(q(8));
    expect(log.torques[0][7]).toBe(q(17));
  });

  const measured = (k: number) => ({ positions: [q(k), q(k + 1)], velocities: [], effort: [q(k + 10), q(k + 11)] });

  it('takes the joints that are most where programs share a topic, and names the others', async () => {
    const [own, gripper] = [joints(['shoulder', 'elbow']), joints(['finger'])];
    const both = own.flatMap((message, k) => [message, gripper[k]]);
    const bytes = await mcapOf([sent('/joint_states', 'sensor_msgs/msg/JointState', both)]);
    const log = readJointLog(await table(bytes, 'joints'), await arm());
    expect(log.time).toHaveLength(COUNT);
    expect(log.readingNotes).toContain('messages of finger left out');
  });

  it.each<[Type, (k: number) => object]>([
    ['geometry_msgs/msg/PoseStamped', (k) => ({ header: header(k), pose: pose(k) })],
    [
      'nav_msgs/msg/Odometry',
      (k) => ({ header: header(k), child_frame_id: 'base', pose: { pose: pose(k), covariance: Array(36).fill(0) } }),
    ],
    ['geometry_msgs/msg/TransformStamped', (k) => transform(k, 'cube')],
    ['tf2_msgs/msg/TFMessage', (k) => ({ transforms: [transform(k, 'cube'), transform(k + 7, 'hand')] })],
  ])('reads poses from %s', async (type, of) => {
    for (const encoding of ['cdr', 'ros1', 'json'] as const) {
      const bytes = await mcapOf([chatter, sent('/pose', type, messages(of), encoding)], { compression: 'zstd' });
      const [first, second] = readPoses(await table(bytes, 'poses'));
      expect(first.frameRate).toBeCloseTo(100, 6);
      expect(first.poses[3]).toEqual({ position: [0.03, 2, 3], orientation: [0, 0, 0, 1] });
      expect(first.readingNotes).toBe('stamps of headers; time in ns since 1970; x y z in m; 100 frames a second');
      if (type.startsWith('tf2')) expect([first.name, second.name]).toEqual(['cube', 'hand']);
    }
  });

  it.each<[string, (k: number) => object]>([
    ['foxglove.PoseInFrame', (k) => ({ timestamp: header(k).stamp, frame_id: 'map', pose: pose(k) })],
    ['foxglove.FrameTransform', (k) => frameTransform(k)],
    ['foxglove.FrameTransforms', (k) => ({ transforms: [frameTransform(k)] })],
  ])('reads poses from %s', async (type, of) => {
    const bytes = await mcapOf([sent('/pose', type as Type, messages(of), 'json')]);
    const [body] = readPoses(await table(bytes, 'poses'));
    expect(body.frameRate).toBeCloseTo(100, 6);
    expect(body.poses[3]?.position).toEqual([0.03, 2, 3]);
  });

  const frameTransform = (k: number) => ({
    timestamp: new Date(Number(START / 1_000_000n) + 10 * k).toISOString(),
    child_frame_id: 'cube',
    translation: pose(k).position,
    rotation: pose(k).orientation,
  });

  it('asks for the topic where several fit, and names what there is where none does', async () => {
    const type = 'sensor_msgs/msg/JointState';
    const two = [sent('/a', type, joints(['x'])), sent('/b', type, joints(['y'])), chatter];
    const bytes = await mcapOf(two);
    await expect(table(bytes, 'joints')).rejects.toThrowCode('recordings/which-part');
    await expect(table(bytes, 'joints')).rejects.toThrow(/run\.mcap#\/a, or --topic \/a/);
    expect((await table(bytes, 'joints', '/b')).headings[1].title).toBe('y/position');
    await expect(table(bytes, 'poses')).rejects.toThrowCode('recordings/no-part-fits');
    await expect(table(bytes, 'joints', '/c')).rejects.toThrow(/no topic "\/c".*\/a \(.*\/rosout/);
    await expect(table(bytes, 'joints', '/rosout')).rejects.toThrow(/holds std_msgs\/msg\/String/);
  });

  it('names what is wrong with a message', async () => {
    const own = joints(['shoulder', 'elbow']);
    const wrong = own.map((message, k) =>
      k === 41 ? { ...message, data: { ...message.data, effort: [1] } } : message,
    );
    const bytes = await mcapOf([sent('/joint_states', 'sensor_msgs/msg/JointState', wrong)]);
    await expect(table(bytes, 'joints')).rejects.toThrow(
      /message 42 of \/joint_states: it has 2 joints and 1 values of effort/,
    );
  });

  it('refuses a file that is cut off anywhere, with the command that repairs it', async () => {
    const bytes = await mcapOf([sent('/joint_states', 'sensor_msgs/msg/JointState', joints(['a', 'b']))], {
      compression: 'zstd',
    });
    for (let k = 0; k < 40; k++) {
      const at = 5 + Math.floor(((bytes.length - 6) * k) / 40);
      await expect(table(bytes.slice(0, at), 'joints'), `cut at ${at}`).rejects.toThrowCode('recordings/file-damaged');
    }
    await expect(open(bytes.slice(0, 900))).rejects.toThrow('mcap recover');
  });

  it('refuses a chunk that claims or holds more than there can be', async () => {
    await isLoaded;
    const file = (size: bigint, data: Uint8Array): Uint8Array => {
      const builder = new McapRecordBuilder();
      builder.writeMagic();
      builder.writeHeader({ profile: '', library: 'a test' });
      const times = { messageStartTime: 0n, messageEndTime: 0n };
      builder.writeChunk({ ...times, uncompressedSize: size, uncompressedCrc: 0, compression: 'zstd', records: data });
      builder.writeDataEnd({ dataSectionCrc: 0 });
      builder.writeFooter({ summaryStart: 0n, summaryOffsetStart: 0n, summaryCrc: 0 });
      builder.writeMagic();
      return builder.buffer.slice();
    };
    const small = Uint8Array.from(compress(new Uint8Array(1000)));
    await expect(open(file(2n ** 40n, small))).rejects.toThrowCode('recordings/file-too-large');
    await expect(open(file(2n ** 63n, small))).rejects.toThrowCode('recordings/file-too-large');
    await expect(open(file(10n, small))).rejects.toThrowCode('recordings/file-damaged');
    await expect(open(file(5000n, small))).rejects.toThrowCode('recordings/file-damaged');
  });

  it('says what to install where a package is absent', async () => {
    await expect(optionalPackages('@gradsim/not-there', 'MCAP', ['@mcap/core', '@foxglove/rosmsg'])).rejects.toThrow(
      'npm install @mcap/core @foxglove/rosmsg',
    );
  });
});
