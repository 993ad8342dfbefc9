import type { Table } from '@gradsim/base/tables';
import { isGradsimError } from '@gradsim/core';
import type { TypedMcapRecords } from '@mcap/core';
import { damagedFile, MOST_ROWS, notRead, tooLarge } from '../faults.ts';
import type { FileToOpen, RecordedFile, RecordedPart } from '../recorded.ts';
import { type Decoder, decoderOf, loadPackage, type Schema, unreadableReason } from './decoder.ts';
import { isOfJoints, jointsIn, jointTable } from './joints.ts';
import { isOfPoses, posesIn, poseTable } from './poses.ts';

type Channel = TypedMcapRecords['Channel'];
type Message = TypedMcapRecords['Message'];

/** Most bytes of a chunk, decompressed. */
const MAX_CHUNK_BYTES = 2 ** 29;
/** Bytes that a file may hold decompressed: this many, or this many times its own. */
const MAX_DECOMPRESSED = { bytes: 2 ** 30, ratio: 100 } as const;
/** Bytes that are given to the reader at once. */
const READ_BYTES = 2 ** 22;

/** Hint for a recording that was cut off. */
const RECOVERY_HINT = 'Copy it again; a recording that was cut off is repaired by: mcap recover FILE -o fixed.mcap';

interface Topic {
  readonly name: string;
  /** Channels by number; several programs may send to a topic. */
  readonly channels: Map<number, { readonly channel: Channel; readonly schema: Schema }>;
  count: number;
}

/** Lists the topics of an MCAP file; each is read when its table is asked for. */
export async function openMcap({ name, bytes }: FileToOpen): Promise<RecordedFile> {
  const topics = new Map<string, Topic>();
  await visitMessages(name, bytes, (channel, schema) => {
    const topic = topics.get(channel.topic) ?? { name: channel.topic, channels: new Map(), count: 0 };
    topics.set(channel.topic, topic);
    topic.channels.set(channel.id, { channel, schema });
    topic.count++;
  });
  return {
    format: 'mcap',
    title: 'A recording in MCAP',
    partName: 'topic',
    parts: [...topics.values()].map((topic) => partOf(name, bytes, topic)),
    remarks: [],
  };
}

function partOf(name: string, bytes: Uint8Array, topic: Topic): RecordedPart {
  const [{ channel, schema }] = topic.channels.values();
  const { messageEncoding } = channel;
  // Last part of the name of its type: `JointState` of `sensor_msgs/msg/JointState`.
  const type = schema.name.split(/[/.]/).at(-1) ?? '';
  const rowContent = isOfJoints(type) ? 'joints' : isOfPoses(type) ? 'poses' : undefined;
  const why = rowContent
    ? unreadableReason(messageEncoding, schema)
    : `holds ${schema.name || 'messages without a type'}, neither joints nor poses`;
  const part = { name: topic.name, description: `${schema.name || messageEncoding}, ${topic.count} messages` };
  if (rowContent && why === undefined)
    return {
      ...part,
      rowContent,
      table: () =>
        rowContent === 'joints'
          ? tableOfTopic(name, bytes, topic, (own, logged) => jointsIn(type, own, logged), jointTable)
          : tableOfTopic(name, bytes, topic, (own, logged) => posesIn(type, own, logged), poseTable),
    };
  const hint = rowContent
    ? 'Record it as ROS does, or save its fields as CSV with PlotJuggler.'
    : 'Take another, or save its fields as CSV with PlotJuggler.';
  return { ...part, table: () => Promise.reject(notRead(name, `the topic ${topic.name}`, why!, hint)) };
}

/** Reads the messages of one topic into a table. @throws naming the message that is damaged. */
async function tableOfTopic<Moment>(
  name: string,
  bytes: Uint8Array,
  { name: topic, channels }: Topic,
  read: (message: unknown, logged: bigint) => Moment[],
  tabulate: (moments: readonly Moment[], name: string) => Table,
): Promise<Table> {
  let count = 0;
  const fail = (reason: unknown): never => {
    if (isGradsimError(reason)) throw reason;
    throw damagedFile(name, 'MCAP', `message ${count} of ${topic}: ${(reason as Error).message}`, RECOVERY_HINT);
  };
  const decoders = new Map<number, Decoder>();
  for (const [id, { channel, schema }] of channels)
    decoders.set(id, await decoderOf(channel.messageEncoding, schema).catch(fail));
  const moments: Moment[] = [];
  await visitMessages(name, bytes, ({ id, topic: own }, _, { data, logTime }) => {
    if (own !== topic) return;
    count++;
    try {
      // A copy, since what is decoded may be a view of bytes that the reader overwrites.
      for (const moment of read(decoders.get(id)!(data.slice()), logTime)) moments.push(moment);
    } catch (error) {
      fail(error);
    }
    if (moments.length > MOST_ROWS) throw tooLarge(name, `more than ${MOST_ROWS} rows in ${topic}`);
  });
  if (moments.length === 0) throw notRead(name, `the topic ${topic}`, 'has no poses', 'Take another.');
  return tabulate(moments, `${name} ${topic}`);
}

/** Visits all messages of a file, in its order. @throws for a file that is damaged, cut off, or swells beyond all measure. */
async function visitMessages(
  name: string,
  bytes: Uint8Array,
  visit: (channel: Channel, schema: Schema, message: Message) => void,
): Promise<void> {
  const { McapStreamReader } = await loadPackage<typeof import('@mcap/core')>('@mcap/core');
  const { decompress: zstd, isLoaded } = await loadPackage<typeof import('@foxglove/wasm-zstd')>('@foxglove/wasm-zstd');
  const { default: lz4 } = await loadPackage<typeof import('@foxglove/wasm-lz4')>('@foxglove/wasm-lz4');
  await Promise.all([isLoaded, lz4.isLoaded]);
  let swollen = 0;
  const bounded =
    (decompress: (data: Uint8Array, size: number) => Uint8Array) =>
    (data: Uint8Array, claimed: bigint): Uint8Array => {
      const size = Number(claimed);
      swollen += size;
      if (size > MAX_CHUNK_BYTES || swollen > Math.max(MAX_DECOMPRESSED.bytes, MAX_DECOMPRESSED.ratio * bytes.length))
        throw tooLarge(name, `chunks that decompress to more than ${Math.round(Math.min(size, swollen) / 1e6)} MB`);
      const own = decompress(data, size);
      if (own.length !== size) throw new Error(`a chunk has ${own.length} bytes in place of ${size}`);
      return own;
    };
  const reader = new McapStreamReader({ decompressHandlers: { zstd: bounded(zstd), lz4: bounded(lz4) } });
  const schemas = new Map<number, Schema>();
  const channels = new Map<number, Channel>();
  const plain: Schema = { name: '', encoding: '', data: new Uint8Array() };
  const take = (record: NonNullable<ReturnType<typeof reader.nextRecord>>): void => {
    if (record.type === 'Schema') schemas.set(record.id, record);
    else if (record.type === 'Channel') channels.set(record.id, record);
    else if (record.type === 'Message') {
      const channel = channels.get(record.channelId)!;
      visit(channel, schemas.get(channel.schemaId) ?? plain, record);
    }
  };
  try {
    for (let at = 0; at < bytes.length; at += READ_BYTES) {
      reader.append(bytes.subarray(at, at + READ_BYTES));
      for (let record = reader.nextRecord(); record; record = reader.nextRecord()) take(record);
    }
    if (!reader.done()) throw new Error('it ends before its footer');
  } catch (error) {
    throw isGradsimError(error) ? error : damagedFile(name, 'MCAP', error, RECOVERY_HINT);
  }
}
