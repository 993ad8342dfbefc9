import { parse } from '@foxglove/rosmsg';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { compress, isLoaded } from '@foxglove/wasm-zstd';
import { McapWriter, TempBuffer } from '@mcap/core';
import { zipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Draw } from '../draw.ts';

/** Joints at equal steps, or points in frames: [row][column]. */
export type Rows = readonly (readonly number[])[];

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const LINE = '='.repeat(80);
const JOINT_STATE = `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
${LINE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
${LINE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;

/** Steps between samples, s. */
export const STEP = 0.01;

/** MCAP with positions and efforts of two joints: of CDR or JSON, in chunks or not, compressed or not. */
export async function mcapFile(rows: Rows, joints: readonly string[], random: Draw): Promise<Uint8Array> {
  await isLoaded;
  const isJson = random.chance(0.3);
  const writable = new TempBuffer();
  const writer = new McapWriter({
    writable,
    useChunks: random.chance(0.8),
    chunkSize: random.pick([500, 20_000]),
    ...(random.chance(0.5)
      ? { compressChunk: (data) => ({ compression: 'zstd', compressedData: Uint8Array.from(compress(data)) }) }
      : {}),
  });
  await writer.start({ profile: 'ros2', library: 'fuzz' });
  const schemaId = await writer.registerSchema({
    name: 'sensor_msgs/msg/JointState',
    encoding: isJson ? 'jsonschema' : 'ros2msg',
    data: bytesOf(isJson ? '{}' : JOINT_STATE),
  });
  const messageEncoding = isJson ? 'json' : 'cdr';
  const channel = { topic: '/joint_states', messageEncoding, schemaId, metadata: new Map<string, string>() };
  const channelId = await writer.registerChannel(channel);
  const cdr = new MessageWriter(parse(JOINT_STATE, { ros2: true }));
  for (const [sequence, [a, b, u, v]] of rows.entries()) {
    const nanoseconds = Math.round((sequence + 1) * STEP * 1e9);
    const stamp = { sec: 1_700_000_000, nanosec: nanoseconds };
    const message = { header: { stamp, frame_id: '' }, name: joints, position: [a, b], velocity: [], effort: [u, v] };
    const at = BigInt(nanoseconds) + 1_700_000_000_000_000_000n;
    const data = isJson ? bytesOf(JSON.stringify(message)) : cdr.writeMessage(message);
    await writer.addMessage({ channelId, sequence, logTime: at, publishTime: at, data });
  }
  await writer.end();
  return writable.get();
}

/** Parquet of the same as columns of a table, with dictionaries or without, in groups. */
export function parquetFile(rows: Rows, joints: readonly string[], random: Draw): Uint8Array {
  const names = [...joints.map((name) => `${name}/position`), ...joints.map((name) => `${name}/effort`)];
  const columns = names.map((name, c) => ({ name, data: rows.map((row) => row[c]), type: 'DOUBLE' as const }));
  const time = { name: 'time', data: rows.map((_, k) => k * STEP), type: 'DOUBLE' as const };
  const options = { codec: random.pick(['SNAPPY', 'UNCOMPRESSED'] as const), rowGroupSize: random.pick([20, 1000]) };
  return new Uint8Array(parquetWriteBuffer({ columnData: [time, ...columns], ...options }));
}

const property = (name: string, type: string, value: string): string =>
  `<property name="${name}" type="${type}">${value}</property>`;
const object = (name: string, content: string): string =>
  `<object class="org.opensourcephysics.${name}">${content}</object>`;

/** Project of Tracker with a track. */
export function trackerText(rows: Rows, rate: number): string {
  const points = rows.map(([x, y], n) => {
    const place = property('x', 'double', String(x)) + property('y', 'double', String(y));
    return property(`[${n}]`, 'object', object('cabrillo.tracker.PointMass$FrameData', place));
  });
  const track = property('name', 'string', 'ball') + property('framedata', 'array', `\n${points.join('\n')}\n`);
  const frame = ['xorigin', 'yorigin', 'angle', 'xscale', 'yscale'].map((name) => property(name, 'double', '20.0'));
  const coords = property('[0]', 'object', object('media.core.ImageCoordSystem$FrameData', frame.join('\n')));
  return object(
    'cabrillo.tracker.TrackerPanel',
    [
      property(
        'clipcontrol',
        'object',
        object('media.core.ClipControl', property('delta_t', 'double', String(1000 / rate))),
      ),
      property('coords', 'object', object('media.core.ImageCoordSystem', property('framedata', 'array', coords))),
      property('tracks', 'collection', property('item', 'object', object('cabrillo.tracker.PointMass', track))),
    ].join('\n'),
  );
}

/** The same in an archive beside a film. */
export const trackerArchive = (rows: Rows, rate: number): Uint8Array =>
  zipSync({ 'film.mp4': new Uint8Array(1000), 'ball.trk': bytesOf(trackerText(rows, rate)) });

/** Analysis of Kinovea with a track. */
export function kinoveaText(rows: Rows, rate: number): string {
  const points = rows.map(([x, y], n) => `<TrackPoint>${x};${y};${500 + 40 * n}</TrackPoint>`);
  return `<KinoveaVideoAnalysis><AverageTimeStampsPerFrame>40</AverageTimeStampsPerFrame>
<CaptureFramerate>${rate}</CaptureFramerate><FirstTimeStamp>500</FirstTimeStamp>
<Tracks><Track name="ball"><TrackPointList Count="${rows.length}">
${points.join('\n')}
</TrackPointList></Track></Tracks></KinoveaVideoAnalysis>`;
}
