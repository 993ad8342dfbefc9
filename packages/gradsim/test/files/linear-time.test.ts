import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCamera } from '@gradsim/cameras';
import { parseGmsh, parseObj, parseStl, parseTet } from '@gradsim/mesh';
import { readMarkers } from '@gradsim/recordings/markers';
import { readPoses } from '@gradsim/recordings/poses';
import { readJointLog, readMjcf, readUrdf, writeCalibrated } from '@gradsim/robots';
import { readTracks } from '@gradsim/video';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawn } from '../../../../scripts/vitest/draws.ts';
import { readRobotFile } from '../../src/robot/read-files.ts';

const ARM =
  '<robot name="a"><link name="l0"/><link name="l1"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="l0"/><child link="l1"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>';
/** Length of the texts. What is quadratic in it takes 2 s or more of processor, the rest up to half a second. */
const LENGTH = 60_000;

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

/** Processor time of reading a text that repeats something, ms. */
async function timeOf(read: (text: string) => unknown, repeated: string, length: number): Promise<number> {
  const text = repeated.repeat(Math.ceil(length / repeated.length));
  const began = process.cpuUsage();
  try {
    await read(text);
  } catch {
    // Refused, as it should be.
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

it('readers of text take linear time, whatever is repeated in it', async () => {
  for (const [name, read] of Object.entries(READERS)) {
    for (const repeated of drawn(REPEATED, 8)) {
      const whole = await timeOf(read, repeated, LENGTH);
      if (whole < 1000) continue;
      // 8 times as long where the time is linear, 64 times where it is quadratic.
      const part = await timeOf(read, repeated, LENGTH / 8);
      expect(whole / part, `${name} of ${JSON.stringify(repeated)}: ${part} and ${whole} ms`).toBeLessThan(20);
    }
  }
});
