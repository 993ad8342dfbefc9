import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isGradsimError } from '@gradsim/core';
import { readText } from '@gradsim/core/files';
import { box, formatGlb, formatObj, formatStl, readMesh, readTetMesh } from '@gradsim/mesh';
import { createFrames, encodeFrames, inspectFilm, readFrames } from '@gradsim/video';
import { McapWriter, TempBuffer } from '@mcap/core';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRobotFile } from '../../src/robot/read-files.ts';
import { FALLING_MOTE, gradsim } from '../support.ts';

/** Time within which a reader answers, ms: what waits for a pipe or reads a device never does. */
const LIMIT = 20_000;

/** Kinds of files that readers take. */
const FILES: Readonly<Record<string, string | Uint8Array | (() => Promise<Uint8Array>)>> = {
  'a.obj': formatObj(box({ size: [1, 1, 1] })),
  'a.stl': formatStl(box({ size: [1, 1, 1] })),
  'a.glb': async () => formatGlb(box({ size: [1, 1, 1] })),
  'a.tet': 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3\n',
  'a.gif': async () => {
    const frames = createFrames({ width: 8, height: 8, channels: 3, frameRate: 10 }, 2);
    return encodeFrames(frames, 'gif');
  },
  'a.json': JSON.stringify({ model: 'nothing that is known', expected: {} }),
  'camera.txt': '# COLMAP\n1 PINHOLE 8 8 10 10 4 4\n',
  'points.csv': 'px,py,x,y,z\n1,1,0,0,0\n2,1,1,0,0\n2,2,1,1,0\n1,2,0,1,0\n1.5,1.5,0.5,0.5,0\n1.2,1.6,0.2,0.6,0\n',
  'arm.urdf':
    '<robot name="arm"><link name="base"/><link name="bar"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>' +
    '<joint name="hinge" type="revolute"><parent link="base"/><child link="bar"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>',
  'log.csv': 'time,hinge_position,hinge_torque\n0,0,0\n0.1,0.1,0\n',
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
};

/** Runs the command; an error that it prints is thrown as its code. */
async function command(...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await gradsim(args);
  // `check` prints a line of JSON for each file.
  const failed = args[0] === 'check' && code !== 0 ? JSON.parse(stdout[0]) : undefined;
  if (failed) throw Object.assign(new Error(failed.error), { coded: failed.code });
  const [, coded] = /\[([a-z]+\/[a-z-]+)\]$/.exec(stderr.at(-1) ?? '') ?? [];
  if (code !== 0 && coded) throw Object.assign(new Error(stderr.at(-1)), { coded });
  if (code !== 0 && code !== 3) throw new Error(stderr.join('\n') || `exit code ${code}`);
}

interface Reader {
  /** File that it takes, of {@link FILES}. */
  readonly takes: keyof typeof FILES;
  /** Reads a file; `beside` is the folder of good ones. */
  readonly read: (path: string, beside: string) => Promise<unknown>;
  /** True if it refuses the file as well, for what is in it: then only by another message. */
  readonly wants?: 'more';
  /** True if a folder is one of the things that it takes. */
  readonly takesFolders?: true;
}

/** Every reader of files that others may have written: the table of rules below holds for each. */
const READERS: Readonly<Record<string, Reader>> = {
  'readMesh of .obj': { takes: 'a.obj', read: (path) => readMesh(path) },
  'readMesh of .stl': { takes: 'a.stl', read: (path) => readMesh(path) },
  'readMesh of .glb': { takes: 'a.glb', read: (path) => readMesh(path) },
  readTetMesh: { takes: 'a.tet', read: (path) => readTetMesh(path) },
  inspectFilm: { takes: 'a.gif', read: (path) => inspectFilm(path), takesFolders: true },
  readFrames: { takes: 'a.gif', read: (path) => readFrames(path), takesFolders: true },
  readText: { takes: 'points.csv', read: (path) => readText(path) },
  'look --camera': {
    takes: 'camera.txt',
    read: (path, beside) =>
      command('look', join(beside, 'a.gif'), '--camera', path, '--out', join(beside, 'out'), '--force'),
    wants: 'more',
  },
  'look FILM': {
    takes: 'a.gif',
    read: (path, beside) => command('look', path, '--out', join(beside, 'out'), '--force'),
    wants: 'more',
    takesFolders: true,
  },
  'look run.mcap': { takes: 'run.mcap', read: (path) => command('look', path) },
  'look run.parquet': { takes: 'run.parquet', read: (path) => command('look', path) },
  'look ball.trk': { takes: 'ball.trk', read: (path) => command('look', path) },
  'new robot --log run.mcap': {
    takes: 'run.mcap',
    read: (path, beside) =>
      command(
        'new',
        'robot',
        '--model',
        join(beside, 'arm.urdf'),
        '--log',
        path,
        '--out',
        join(beside, 'r'),
        '--force',
      ),
    wants: 'more',
  },
  'calibrate --points': {
    takes: 'points.csv',
    read: (path, beside) =>
      command(
        'calibrate',
        '--points',
        path,
        '--camera',
        join(beside, 'camera.txt'),
        '--out',
        join(beside, 'c.json'),
        '--force',
      ),
    wants: 'more',
  },
  'calibrate --camera': {
    takes: 'camera.txt',
    read: (path, beside) =>
      command(
        'calibrate',
        '--camera',
        path,
        '--points',
        join(beside, 'points.csv'),
        '--out',
        join(beside, 'c.json'),
        '--force',
      ),
    wants: 'more',
  },
  'new robot --model': {
    takes: 'arm.urdf',
    read: (path, beside) =>
      command('new', 'robot', '--model', path, '--log', join(beside, 'log.csv'), '--out', join(beside, 'r'), '--force'),
    wants: 'more',
  },
  'new robot --log': {
    takes: 'log.csv',
    read: (path, beside) =>
      command(
        'new',
        'robot',
        '--model',
        join(beside, 'arm.urdf'),
        '--log',
        path,
        '--out',
        join(beside, 'r'),
        '--force',
      ),
    wants: 'more',
  },
  'check FILE': { takes: 'a.json', read: (path) => command('check', path) },
  'estimate EXPERIMENT': {
    takes: 'experiment.mjs',
    read: (path, beside) => command('estimate', path, '--out', join(beside, 'e'), '--force'),
    wants: 'more',
  },
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

/** Outcome required of anything that stands where a file is wanted. */
const RULES: Readonly<Record<string, 'as the file' | 'refused'>> = {
  'the file': 'as the file',
  'a link to the file': 'as the file',
  'a link to a link': 'as the file',
  'a folder': 'refused',
  'a pipe': 'refused',
  'a link to a pipe': 'refused',
  'a socket': 'refused',
  'a device': 'refused',
  'a link to a device': 'refused',
  'a link to nothing': 'refused',
  'a link to itself': 'refused',
  nothing: 'refused',
  'a file below a file': 'refused',
  'a name that is too long': 'refused',
  'an empty file': 'refused',
};

describe.skipIf(process.platform === 'win32')('every reader', () => {
  let folder: string;
  let socket: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gradsim-files-'));
    for (const [name, content] of Object.entries(FILES))
      writeFileSync(join(folder, name), typeof content === 'function' ? await content() : content);
  });
  afterAll(() => {
    socket?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Makes what a rule is about, under the ending of the file that is wanted. */
  async function make(rule: string, wanted: string): Promise<string> {
    const place = mkdtempSync(join(folder, 'case-'));
    const good = join(folder, wanted);
    const path = join(place, wanted);
    const other = join(place, `other-${wanted}`);
    const pipe = (at: string): unknown => spawnSync('mkfifo', [at]);
    if (rule === 'the file') copyFileSync(good, path);
    if (rule === 'a link to the file') symlinkSync(good, path);
    if (rule === 'a link to a link') {
      symlinkSync(good, other);
      symlinkSync(other, path);
    }
    if (rule === 'a folder') mkdirSync(path);
    if (rule === 'a pipe') pipe(path);
    if (rule === 'a link to a pipe') {
      pipe(other);
      symlinkSync(other, path);
    }
    if (rule === 'a socket') {
      socket?.close();
      socket = createServer();
      await new Promise<void>((done) => socket.listen(path, done));
    }
    if (rule === 'a device') return '/dev/zero';
    if (rule === 'a link to a device') symlinkSync('/dev/zero', path);
    if (rule === 'a link to nothing') symlinkSync(join(place, 'none'), path);
    if (rule === 'a link to itself') symlinkSync(path, path);
    if (rule === 'a file below a file') return join(good, wanted);
    if (rule === 'a name that is too long') return join(place, `${'a'.repeat(300)}-${wanted}`);
    if (rule === 'an empty file') writeFileSync(path, '');
    return path;
  }

  /** Outcome of a reader: a value or undefined if it returned, else the error. */
  async function outcomeOf({ read }: Reader, path: string): Promise<Error | undefined> {
    const late = after(LIMIT, 'late', { ref: false });
    const came = await Promise.race([
      read(path, folder).then(
        () => undefined,
        (error: Error) => error,
      ),
      late,
    ]);
    if (came === 'late') throw new Error(`It does not answer within ${LIMIT / 1000} s.`);
    return came as Error | undefined;
  }
  const codeOf = (error: Error | undefined): string | undefined =>
    isGradsimError(error) ? error.code : (error as { coded?: string } | undefined)?.coded;

  for (const [name, reader] of Object.entries(READERS))
    for (const [rule, comes] of Object.entries(RULES)) {
      if (rule === 'a folder' && reader.takesFolders) continue;
      it(`${name}: ${rule} is ${comes === 'refused' ? 'refused by a sentence' : 'read as the file'}`, async () => {
        const path = await make(rule, reader.takes);
        const came = await outcomeOf(reader, path);
        if (comes === 'as the file') {
          const plain = await outcomeOf(reader, await make('the file', reader.takes));
          if (!reader.wants) expect(plain).toBeUndefined();
          expect(codeOf(came)).toBe(codeOf(plain));
          return;
        }
        // readText is the function that the others are built on: its error has a kind in place of a code.
        if (name === 'readText' && rule === 'an empty file') return;
        expect(came, 'it is read').toBeDefined();
        expect(came!.message).toMatch(/^[^\n]*\.[^\n]*$/);
        if (name === 'readText') expect(came!.name).toBe('Error');
        else expect(codeOf(came), came!.stack).toMatch(/^[a-z]+\/[a-z-]+$/);
        // The file is named, by as much of its name as can be shown.
        if (rule !== 'a name that is too long') expect(came!.message).toContain(basename(path));
      });
    }

  for (const [name, reader] of Object.entries(READERS)) {
    it(`${name}: a file of three gigabytes is refused before it is read`, async () => {
      const path = join(mkdtempSync(join(folder, 'large-')), reader.takes);
      writeFileSync(path, '');
      truncateSync(path, 3e9);
      const before = process.memoryUsage.rss();
      const came = await outcomeOf(reader, path);
      expect(came).toBeDefined();
      expect(process.memoryUsage.rss() - before).toBeLessThan(500e6);
    });
    if (!/\.(?:csv|txt|urdf|obj|tet)$/.test(reader.takes)) continue;
    it.each([
      ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
      ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
      ['UTF-16 in the other order', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ])(`${name}: a text in %s is read as one in UTF-8`, async (_, encode) => {
      const plain = join(folder, reader.takes);
      const path = join(mkdtempSync(join(folder, 'text-')), reader.takes);
      writeFileSync(path, encode(readFileSync(plain, 'utf8')));
      expect(codeOf(await outcomeOf(reader, path))).toBe(codeOf(await outcomeOf(reader, plain)));
    });
  }

  /** Files that name a file `part.ENDING` beside them, and the readers of those. */
  const NAMING: Readonly<Record<string, { part: string; content: string; read: (path: string) => Promise<unknown> }>> =
    {
      'a.gltf': {
        part: 'part.bin',
        content: JSON.stringify({
          asset: { version: '2.0' },
          buffers: [{ uri: 'part.bin', byteLength: 36 }],
          bufferViews: [{ buffer: 0, byteLength: 36 }],
          accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
          meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
          nodes: [{ mesh: 0 }],
          scenes: [{ nodes: [0] }],
          scene: 0,
        }),
        read: (path) => readMesh(path),
      },
      'a.obj': {
        part: 'part.mtl',
        content: 'mtllib part.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n',
        read: (path) => readMesh(path),
      },
      'a.xml': {
        part: 'part.stl',
        content:
          '<mujoco><asset><mesh name="m" file="part.stl"/></asset><worldbody><body name="b"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
        read: async (path) => (await readRobotFile(path)).robot,
      },
    };
  const GOOD_PARTS: Readonly<Record<string, () => Uint8Array | string>> = {
    'part.bin': () => new Uint8Array(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer),
    'part.mtl': () => 'newmtl red\nKd 1 0 0\n',
    'part.stl': () => formatStl(box({ size: [1, 1, 1] })),
  };
  for (const [name, { part, content, read }] of Object.entries(NAMING))
    for (const rule of [
      'the file',
      'a link within',
      'a link out',
      'a link of a folder out',
      'a pipe',
      'a device',
      'nothing',
    ])
      it(`${name}: ${rule}, named by it, is ${/file|within/.test(rule) ? 'read' : 'refused by a sentence'}`, async () => {
        const place = mkdtempSync(join(folder, 'naming-'));
        const path = join(place, name);
        const target = join(place, part);
        let text = content;
        writeFileSync(join(place, `real-${part}`), GOOD_PARTS[part]());
        const outside = mkdtempSync(join(folder, 'outside-'));
        writeFileSync(join(outside, part), GOOD_PARTS[part]());
        if (rule === 'the file') writeFileSync(target, GOOD_PARTS[part]());
        if (rule === 'a link within') symlinkSync(join(place, `real-${part}`), target);
        if (rule === 'a link out') symlinkSync(join(outside, part), target);
        if (rule === 'a link of a folder out') {
          symlinkSync(outside, join(place, 'parts'));
          text = content.replaceAll(part, `parts/${part}`);
        }
        if (rule === 'a pipe') spawnSync('mkfifo', [target]);
        if (rule === 'a device') symlinkSync('/dev/zero', target);
        writeFileSync(path, text);
        const came = await outcomeOf({ takes: 'a.obj', read }, path);
        if (/file|within/.test(rule)) expect(came).toBeUndefined();
        else expect(codeOf(came), String(came?.stack)).toMatch(/^[a-z]+\/[a-z-]+$/);
      });
});
