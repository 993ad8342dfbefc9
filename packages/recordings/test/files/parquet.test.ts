import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPoses } from '@gradsim/recordings/poses';
import { readJointLog, readUrdf } from '@gradsim/robots';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecorded, readChosenTable, readTableFile } from '../../src/files/index.ts';

const ROWS = 80;
const FPS = 30;
/** Place of the first run of levels in the file. */
const RUN = 42;
const q = (k: number): number => Math.fround(0.3 * Math.sin(0.1 * k));
const list = { repetition_type: 'OPTIONAL', num_children: 1 } as const;

/** Schema of a list of numbers in single precision, as Arrow writes it. */
const listOf = (name: string) => [
  { name, ...list, converted_type: 'LIST' as const },
  { name: 'list', repetition_type: 'REPEATED' as const, num_children: 1 },
  { name: 'element', type: 'FLOAT' as const, repetition_type: 'OPTIONAL' as const },
];

/** Two episodes of two joints. */
function dataSet(columns: readonly string[], more: Record<string, unknown[]> = {}): Uint8Array {
  const rows = Array.from({ length: 2 * ROWS }, (_, k) => ({ episode: Math.floor(k / ROWS) + 3, frame: k % ROWS }));
  const lists = columns.map((name, c) => ({
    name,
    data: rows.map(({ episode, frame }) => [q(frame + episode + 5 * c), q(frame + episode + 1 + 5 * c)]),
  }));
  const plain = Object.entries(more).map(([name, data]) => ({ name, data }));
  const columnData = [
    ...lists,
    { name: 'timestamp', data: rows.map(({ frame }) => Math.fround(frame / FPS)) },
    { name: 'episode_index', data: rows.map(({ episode }) => BigInt(episode)) },
    ...plain,
  ];
  const schema = [
    { name: 'root', num_children: columnData.length },
    ...columns.flatMap(listOf),
    { name: 'timestamp', type: 'FLOAT' as const, repetition_type: 'REQUIRED' as const },
    { name: 'episode_index', type: 'INT64' as const, repetition_type: 'REQUIRED' as const },
    ...plain.map(({ name }) => ({ name, type: 'DOUBLE' as const, repetition_type: 'REQUIRED' as const })),
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, rowGroupSize: 50 } as never));
}

const arm = () =>
  readUrdf(
    `<robot name="arm"><link name="base"/>${['shoulder', 'elbow']
      .map(
        (name, k) =>
          `<link name="l${k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="${name}" type="continuous"><parent link="${k === 0 ? 'base' : 'l0'}"/><child link="l${k}"/></joint>`,
      )
      .join('')}</robot>`,
  );
const open = async (bytes: Uint8Array) => (await openRecorded({ name: 'file-000.parquet', bytes }))!;

describe('Parquet', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gradsim-parquet-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gives an episode of LeRobot as a log of joints, with the names of info.json', async () => {
    mkdirSync(join(folder, 'data/chunk-000'), { recursive: true });
    mkdirSync(join(folder, 'meta'));
    const path = join(folder, 'data/chunk-000/file-000.parquet');
    writeFileSync(path, dataSet(['observation.state', 'observation.effort', 'action']));
    const motors = ['shoulder', 'elbow'];
    const features = {
      'observation.state': { names: { motors: motors.map((name) => `${name}.pos`) } },
      'observation.effort': { names: motors },
      action: { names: motors.map((name) => `${name}.pos`) },
    };
    writeFileSync(join(folder, 'meta/info.json'), JSON.stringify({ fps: FPS, features }));
    const table = await readTableFile(`${path}#4`, 'joints');
    const log = readJointLog(table, await arm(), 'log');
    expect(log.readingNotes).toBe('time in s; 30 samples a second');
    expect(log.time).toHaveLength(ROWS);
    expect(log.positions[1][10]).toBeCloseTo(q(15), 6);
    expect(log.torques[0][10]).toBeCloseTo(q(19), 6);
    await expect(readTableFile(path, 'joints')).rejects.toThrow(/2 episodes with joints.*--topic 3/);
    await expect(readTableFile(`${path}#9`, 'joints')).rejects.toThrow('no episode "9"');
    writeFileSync(
      join(folder, 'meta/info.json'),
      JSON.stringify({ features: { 'observation.state': { names: ['a', 'b', 'c'] } } }),
    );
    await expect(readTableFile(`${path}#4`, 'joints')).rejects.toThrowCode('recordings/names-differ');
  });

  it('numbers what has no names, and passes over what was commanded', async () => {
    const file = await open(dataSet(['observation.state', 'observation.effort', 'action']));
    const table = await readChosenTable(file, { name: 'a', holds: 'joints', part: '3' });
    expect(table.headings.map(({ title }) => title)).toEqual([
      ...['position0', 'position1', 'effort0', 'effort1', 'action/0', 'action/1', 'timestamp [s]', 'episode_index'],
    ]);
    expect(readJointLog(table, await arm()).positions[0][0]).toBeCloseTo(q(3), 6);
  });

  it('says that a data set without torques is of no use for masses', async () => {
    const { remarks } = await open(dataSet(['observation.state', 'action']));
    expect(remarks.join('\n')).toContain('no torques');
  });

  it('gives poses where columns say so', async () => {
    const rows = Array.from({ length: 40 }, (_, k) => k);
    const columns = { time: 0.02, x: 0.01, y: 0, z: 0, qx: 0, qy: 0, qz: 0 };
    const columnData = [
      ...Object.entries(columns).map(([name, step]) => ({ name, data: rows.map((k) => k * step), type: 'DOUBLE' })),
      { name: 'qw', data: rows.map(() => 1), type: 'DOUBLE' },
    ];
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData } as never));
    const table = await readChosenTable(await open(bytes), { name: 'a', holds: 'poses' });
    const [body] = readPoses(table);
    expect(body.frameRate).toBeCloseTo(50, 6);
    expect(body.poses[7]?.position[0]).toBeCloseTo(0.07, 12);
  });

  it('refuses a file that is cut off, naming it', async () => {
    const bytes = dataSet(['observation.state']);
    for (let k = 1; k < 8; k++) {
      const cut = bytes.slice(0, 4 + Math.floor(((bytes.length - 5) * k) / 8));
      await expect(open(cut)).rejects.toThrowCode('recordings/file-damaged');
    }
  });

  it('ends with a refusal where a damaged run would fill the memory', async () => {
    // The length of a run of levels is set to the largest there is.
    const bytes = dataSet(['observation.state']);
    bytes.set([0xfe, 0xff, 0xff, 0xff, 0x07], RUN);
    const { parts } = await open(bytes);
    await expect(parts[0].table()).rejects.toThrow(
      /file-000\.parquet cannot be read as Parquet: decoding it takes more/,
    );
  });
});
