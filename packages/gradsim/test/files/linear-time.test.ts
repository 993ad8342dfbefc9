import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCamera } from '@gradsim/cameras';
import { readMarkers } from '@gradsim/markers';
import { parseGmsh, parseObj, parseStl, parseTet } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/numeric';
import { readPoses } from '@gradsim/poses';
import { readJointLog, readMjcf, readUrdf, writeCalibrated } from '@gradsim/robots';
import { readTracks } from '@gradsim/video';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRobotFile } from '../../src/robot/read-files.ts';

const ARM =
  '<robot name="a"><link name="l0"/><link name="l1"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="l0"/><child link="l1"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>';
/** Length of the texts, and the time that any reader may take for one, ms: 18 s and more before, for a tenth of a second. */
const [LENGTH, LIMIT] = [500_000, 8000];

let folder: string;
let arm: Awaited<ReturnType<typeof readUrdf>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gradsim-linear-'));
  arm = await readUrdf(ARM, { file: 'arm.urdf' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  readUrdf: (text) => readUrdf(text, { file: 'a' }),
  'readUrdf, within the robot': (text) => readUrdf(`<robot name="a">${text}</robot>`, { file: 'a' }),
  readMjcf: (text) => readMjcf(text, { file: 'a' }),
  readRobotFile: (text) => {
    writeFileSync(join(folder, 'a.xml'), text);
    return readRobotFile(join(folder, 'a.xml'));
  },
  writeCalibrated: (text) =>
    writeCalibrated(text, { robot: arm, combinations: [], delay: [], zeros: [], torqueSensors: [] } as never),
  readJointLog: (text) => readJointLog(text, arm, 'a'),
  'readJointLog, after its header': (text) => readJointLog(`time,j_position,j_torque\n${text}`, arm, 'a'),
  readCamera: (text) => readCamera(text, { name: 'a' }),
  'readCamera, of XML': (text) =>
    readCamera(`<?xml version="1.0"?><opencv_storage>${text}</opencv_storage>`, { name: 'a' }),
  'readCamera, of YAML': (text) => readCamera(`%YAML:1.0\n---\na: ${text}`, { name: 'a' }),
  'readCamera, of JSON': (text) => readCamera(`{"a":"${text}`, { name: 'a' }),
  parseObj: (text) => parseObj(text, 'a', {}),
  parseStl: (text) => parseStl(new TextEncoder().encode(`solid ${text}`), 'a'),
  parseGmsh: (text) => parseGmsh(`$MeshFormat\n2.2 0 8\n$EndMeshFormat\n${text}`, 'a'),
  parseTet: (text) => parseTet(text, 'a'),
  readPoses: (text) => readPoses(text, { name: 'a' }),
  'readPoses, after its header': (text) => readPoses(`time,x,y,z,qx,qy,qz,qw\n${text}`, { name: 'a' }),
  readMarkers: (text) => readMarkers(text, { name: 'a' }),
  'readMarkers, after its header': (text) => readMarkers(`time,marker,x,y,z\n${text}`, { name: 'a' }),
  readTracks: (text) => readTracks(text, { frameRate: 1, name: 'a' }),
  'readTracks, after its header': (text) => readTracks(`time,x,y\n${text}`, { frameRate: 1, name: 'a' }),
};

const REPEATED = [
  ...[
    '<!--',
    '<![CDATA[',
    '<?',
    '<a "',
    '<a ',
    '<a/>',
    '</a>',
    '"',
    "'",
    '""',
    ',',
    ';',
    '\t',
    ' ',
    '\n',
    '\r',
    '\r\n',
  ],
  ...[
    '#',
    '(',
    '[',
    '{',
    '-',
    '0',
    '0 ',
    '0,',
    '1e',
    '.',
    '&',
    '"a",',
    ':',
    'a: ',
    '|',
    '- ',
    'a',
    'a\n',
    'a,',
    '\\',
    '\0',
  ],
  ...[
    'é',
    '_',
    '0\n',
    '0,0\n',
    '$',
    '=',
    '1/',
    '/',
    'v 0 0 0\n',
    'f 1 1 1\n',
    '<',
    '>',
    '&#1;',
    '*',
    '!',
    '"a": ',
    '---\n',
  ],
];

/** Pairs that took quadratic time. */
const KNOWN: readonly [string, string][] = [
  ['readRobotFile', '<!--'],
  ['writeCalibrated', '<!--'],
  ['writeCalibrated', '<?'],
  ['writeCalibrated', '<![CDATA['],
  ['readJointLog', '('],
  ['readJointLog', '['],
  ['readJointLog', '<![CDATA['],
];

it('readers of text take linear time, whatever is repeated in it', async () => {
  const seed = Math.floor(Math.random() * 1e6);
  console.log(`seed ${seed}`);
  const names = Object.keys(READERS);
  const random = randomNumbers(seed);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const drawn = Array.from({ length: 60 }, (): [string, string] => [one(names), one(REPEATED)]);
  for (const [name, repeated] of [...KNOWN, ...drawn]) {
    const text = repeated.repeat(Math.ceil(LENGTH / repeated.length));
    const began = performance.now();
    try {
      await READERS[name](text);
    } catch {
      // Refused, as it should be.
    }
    const took = performance.now() - began;
    expect(took, `seed ${seed}: ${name} takes ${took} ms for ${JSON.stringify(repeated)}`).toBeLessThan(LIMIT);
  }
});
