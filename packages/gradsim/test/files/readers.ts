import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isGradsimError } from '@gradsim/core';
import { readText } from '@gradsim/core/files';
import { box, formatGlb, formatObj, formatStl, readMesh, readTetMesh } from '@gradsim/mesh';
import { createFrames, encodeFrames, inspectFilm, readFrames } from '@gradsim/video';
import { McapWriter, TempBuffer } from '@mcap/core';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { FALLING_MOTE, gradsim } from '../support.ts';

/** Time within which a reader answers, ms: what waits for a pipe or reads a device never does. */
const LIMIT = 300_000;

const STUDY_RECORD = { format: 1, study: 'a', sha256: '0', modules: [], versions: {}, code: '0' };

/** Kinds of files that readers take. */
export const FILES: Readonly<Record<string, string | Uint8Array | (() => Promise<Uint8Array>)>> = {
  'a.obj': formatObj(box({ size: [1, 1, 1] })),
  'a.stl': formatStl(box({ size: [1, 1, 1] })),
  'a.glb': async () => formatGlb(box({ size: [1, 1, 1] })),
  'a.tet': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3\n',
  'a.gif': async () => {
    const frames = createFrames({ width: 8, height: 8, channels: 3, frameRate: 10 }, 2);
    return encodeFrames(frames, 'gif');
  },
  'camera.txt': '# COLMAP\n1 PINHOLE 8 8 10 10 4 4\n',
  'points.csv': 'px,py,x,y,z\n1,1,0,0,0\n2,1,1,0,0\n2,2,1,1,0\n1,2,0,1,0\n1.5,1.5,0.5,0.5,0\n1.2,1.6,0.2,0.6,0\n',
  'arm.urdf':
    '<robot name="arm"><link name="base"/><link name="bar"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>' +
    '<joint name="hinge" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>',
  'log.csv': 'time,hinge_position,hinge_torque\n0,0,0\n0.1,0.1,0\n',
  'fitted.csv': [
    'time,hinge_position,hinge_torque',
    ...Array.from({ length: 60 }, (_, k) => [k / 100, Math.sin(k / 5), -Math.sin(k / 5)]),
  ].join('\n'),
  'run.mcap': async () => {
    const writable = new TempBuffer();
    const writer = new McapWriter({ writable });
    await writer.start({ profile: '', library: 'a test' });
    const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
    const schema = { name: 'sensor_msgs/JointState', encoding: 'jsonschema', data: encode({}) };
    const schemaId = await writer.registerSchema(schema);
    const channel = { topic: '/a', messageEncoding: 'json', schemaId, metadata: new Map<string, string>() };
    const channelId = await writer.registerChannel(channel);
    for (let k = 0; k < 60; k++) {
      const at = BigInt(k + 1) * 10_000_000n;
      const data = encode({ header: {}, name: ['hinge'], position: [k / 100], effort: [1] });
      await writer.addMessage({ channelId, sequence: k, logTime: at, publishTime: at, data });
    }
    await writer.end();
    return writable.get();
  },
  'run.parquet': async () => {
    const data = Array.from({ length: 60 }, (_, k) => k / 100);
    const columns = ['time', 'pos1', 'tau1'].map((name) => ({ name, data, type: 'DOUBLE' as const }));
    return new Uint8Array(parquetWriteBuffer({ columnData: columns }));
  },
  'ball.trk':
    '<object class="org.opensourcephysics.cabrillo.tracker.TrackerPanel"><property name="clipcontrol"><object><property name="delta_t">40</property></object></property>' +
    '<property name="tracks"><property name="item"><object class="a.PointMass"><property name="framedata"><property name="[0]"><object><property name="x">1</property><property name="y">2</property></object></property></property></object></property></property></object>',
  'study.mjs': 'export default { trials: [{ x: 1 }], run: ({ x }) => ({ x }) };',
  'experiment.mjs': 'export default { name: "a" };',
  'result.json': JSON.stringify({ stages: [] }),
  'run.json': JSON.stringify({ format: 1 }),
  'study.json': JSON.stringify({ ...STUDY_RECORD, trials: 1 }),
  'results.jsonl': '',
  'poses.csv': 'time,x,y,z,qx,qy,qz,qw\n0,0,0,1,0,0,0,1\n0.1,0,0,1,0,0,0,1\n',
};

/** Runs the command; an error that it prints is thrown as its code. */
async function command(...args: string[]): Promise<void> {
  const { code, stderr } = await gradsim(args);
  const [, coded] = /\[([a-z]+\/[a-z-]+)\]$/.exec(stderr.at(-1) ?? '') ?? [];
  if (code !== 0 && coded) throw Object.assign(new Error(stderr.at(-1)), { coded });
  if (code !== 0 && code !== 3) throw new Error(stderr.join('\n') || `exit code ${code}`);
}

export interface Reader {
  /** File that it takes, of {@link FILES}. */
  readonly takes: keyof typeof FILES;
  /** Reads a file; `beside` is the folder of good ones. */
  readonly read: (path: string, beside: string) => Promise<unknown>;
  /** True if it refuses the file as well, for what is in it: then only by another message. */
  readonly wants?: 'more';
  /** True if a folder is one of the things that it takes. */
  readonly takesFolders?: true;
  /** True if it looks up whether there is a file, and leaves reading it to the experiment that it writes. */
  readonly looksUpOnly?: true;
  /** True if it reads a file by its name in a folder: what is called otherwise is no such file. */
  readonly takesFolderOf?: true;
}

const FOLDERS_TOO = { wants: 'more', takesFolders: true } as const;

/**
 * A command line as a reader: FILE is the file that it takes, `./name` a good one or a folder for results beside those, NEW a
 * folder that is not there yet.
 */
function byCommand(
  takes: Reader['takes'],
  line: string,
  rest: Pick<Reader, 'wants' | 'takesFolders' | 'looksUpOnly'> = { wants: 'more' },
): Reader {
  const wordOf = (word: string, path: string, beside: string): string => {
    if (word === 'NEW') return join(mkdtempSync(join(beside, 'new-')), 'n');
    return word === 'FILE' ? path : word.replace(/^\.\//, `${beside}/`);
  };
  return {
    takes,
    read: (path, beside) => command(...line.split(' ').map((word) => wordOf(word, path, beside))),
    ...rest,
  };
}

/** Every reader of files that others may have written: the table of rules below holds for each. */
export const READERS: Readonly<Record<string, Reader>> = {
  'readMesh of .obj': { takes: 'a.obj', read: (path) => readMesh(path) },
  'readMesh of .stl': { takes: 'a.stl', read: (path) => readMesh(path) },
  'readMesh of .glb': { takes: 'a.glb', read: (path) => readMesh(path) },
  readTetMesh: { takes: 'a.tet', read: (path) => readTetMesh(path) },
  inspectFilm: { takes: 'a.gif', read: (path) => inspectFilm(path), takesFolders: true },
  readFrames: { takes: 'a.gif', read: (path) => readFrames(path), takesFolders: true },
  readText: { takes: 'points.csv', read: (path) => readText(path) },
  'look --camera': byCommand('camera.txt', 'look ./a.gif --camera FILE --out ./out --force'),
  'look FILM': byCommand('a.gif', 'look FILE --out ./out --force', FOLDERS_TOO),
  'look run.mcap': byCommand('run.mcap', 'look FILE', {}),
  'look run.parquet': byCommand('run.parquet', 'look FILE', {}),
  'look ball.trk': byCommand('ball.trk', 'look FILE', {}),
  'new robot --log run.mcap': byCommand('run.mcap', 'new robot --model ./arm.urdf --log FILE --out ./r --force'),
  'calibrate --points': byCommand('points.csv', 'calibrate --points FILE --camera ./camera.txt --out ./c.json --force'),
  'calibrate --camera': byCommand('camera.txt', 'calibrate --camera FILE --points ./points.csv --out ./c.json --force'),
  'new robot --model': byCommand('arm.urdf', 'new robot --model FILE --log ./log.csv --out ./r --force'),
  'new robot --log': byCommand('log.csv', 'new robot --model ./arm.urdf --log FILE --out ./r --force'),
  'new robot --hold-out': byCommand(
    'log.csv',
    'new robot --model ./arm.urdf --log ./fitted.csv --hold-out FILE --out ./r --force',
  ),
  'new body --poses': byCommand('poses.csv', 'new body --poses FILE --set size=1,1,1 --set mass=1 --out NEW', {
    looksUpOnly: true,
  }),
  'new ball --video': byCommand('a.gif', 'new ball --video FILE --set radius=0.1 --out NEW', FOLDERS_TOO),
  'look TABLE': byCommand('log.csv', 'look FILE --out ./out --force', FOLDERS_TOO),
  'look MESH': byCommand('a.obj', 'look FILE --out ./out --force', FOLDERS_TOO),
  'look --background': byCommand('a.gif', 'look ./a.gif --background FILE --out ./out --force', FOLDERS_TOO),
  'estimate --resume': {
    takes: 'run.json',
    read: (path) => command('estimate', '--resume', dirname(path)),
    wants: 'more',
    takesFolderOf: true,
  },
  'study FOLDER: its identity': {
    takes: 'study.json',
    read: (path) => {
      if (existsSync(dirname(path)))
        writeFileSync(join(dirname(path), 'results.jsonl'), FILES['results.jsonl'] as string);
      return command('study', dirname(path));
    },
    takesFolderOf: true,
  },
  'estimate EXPERIMENT': byCommand('experiment.mjs', 'estimate FILE --out ./e --force'),
  'estimate --from': {
    takes: 'result.json',
    read: (path, beside) => command('estimate', FALLING_MOTE, '--from', path, '--out', join(beside, 'e'), '--force'),
    wants: 'more',
    takesFolders: true,
  },
  'sweep STUDY': {
    takes: 'study.mjs',
    read: (path, beside) => command('sweep', path, '--out', join(beside, `s${basename(path)}`), '--workers', '1'),
    wants: 'more',
  },
};

/** Writes the files that readers take into a folder. */
export async function writeFiles(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(FILES))
    writeFileSync(join(folder, name), typeof content === 'function' ? await content() : content);
}

/** Outcome of a reader: undefined if it returned, else the error. `beside` is the folder of good files. */
export async function outcome({ read }: Reader, path: string, beside: string): Promise<Error | undefined> {
  const late = after(LIMIT, 'late', { ref: false });
  const came = await Promise.race([
    Promise.resolve()
      .then(() => read(path, beside))
      .then(
        () => undefined,
        (error: Error) => error,
      ),
    late,
  ]);
  if (came === 'late') throw new Error(`It does not answer within ${LIMIT / 1000} s.`);
  return came as Error | undefined;
}

/** Code of an error, of a function or of a command that printed it. */
export const codeOf = (error: Error | undefined): string | undefined =>
  isGradsimError(error) ? error.code : (error as { coded?: string } | undefined)?.coded;
