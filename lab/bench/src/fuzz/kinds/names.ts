import { readCamera } from '@gradsim/cameras';
import { readMarkers } from '@gradsim/recordings/markers';
import { readPoses } from '@gradsim/recordings/poses';
import { readMjcf, readUrdf } from '@gradsim/robots';
import { readTracks } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import { type Case, type Kind, outcomeOf } from '../kind.ts';
import { gradsimIn, inFolder } from '../write/in-process.ts';

/** Names that every object has, and others that a program may stumble over, for what users name. */
export const names: Kind = { name: 'names', limit: 60, draw };

const NAMES = [
  ...[
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'isPrototypeOf',
    '__defineGetter__',
  ],
  ...[
    'length',
    'name',
    'then',
    'toJSON',
    'undefined',
    'null',
    'NaN',
    '0',
    '-1',
    'get',
    'set',
    'time',
    'x',
    'é',
    '日本',
    'a b',
    '$&',
    '%s',
  ],
];

async function draw(random: Draw): Promise<Case> {
  const name = random.pick(NAMES);
  const [what, read] = random.pick(Object.entries(READERS));
  return { about: `${what} named ${name}`, expected: 'valid', read: () => outcomeOf(() => read(name, random)) };
}

/** Readers of a text in which something has this name; each returns whether it has it then. */
const READERS: Readonly<Record<string, (name: string, random: Draw) => Promise<boolean>>> = {
  'a marker': async (name) => {
    const rows = [0, 1].map((k) => `${k / 10},${name},0,0,${k}\n${k / 10},other,1,0,0\n`);
    const { markers } = readMarkers(`time,marker,x,y,z\n${rows.join('')}`, { name: 'a.csv' }) as never;
    return JSON.stringify([...(markers as Iterable<unknown>)]).includes(JSON.stringify(name).slice(1, -1));
  },
  'a body of a table of poses': async (name) => {
    const rows = [0, 1, 2].map((k) => `${k / 10},${name},0,0,${k},0,0,0,1\n`);
    const all = readPoses(`time,body,x,y,z,qx,qy,qz,qw\n${rows.join('')}`, { name: 'a.csv' });
    return all.length === 1 && all[0].name === name;
  },
  'a track': async (name) => {
    const rows = [0, 1, 2].map((k) => `${k / 10},${name},${k},0\n`);
    const all = readTracks(`time,track,x,y\n${rows.join('')}`, { frameRate: 10, name: 'a.csv' });
    return all.length === 1;
  },
  'a link and a joint of URDF': async (name) => {
    const inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';
    const { links } = await readUrdf(
      `<robot name="${name}"><link name="base of all"/><link name="${name}">${inertial}</link>` +
        `<joint name="${name}" type="continuous"><parent link="base of all"/><child link="${name}"/><axis xyz="0 0 1"/></joint></robot>`,
      { file: 'a.urdf' },
    );
    return links.some((link) => link.name === name && link.jointName === name);
  },
  'a body, a class and a joint of MJCF': async (name) => {
    const { links } = await readMjcf(
      `<mujoco><default><default class="${name}"><geom density="500"/></default></default><worldbody><body name="${name}">` +
        `<joint name="${name}" class="${name}"/><geom class="${name}" size="0.1"/></body></worldbody></mujoco>`,
      { file: 'a.xml' },
    );
    return links.some((link) => link.name === name);
  },
  'an entry of a camera file': async (name) => {
    const entry = /^[\w$]+$/.test(name) ? name : `"${name}"`;
    const camera = readCamera(
      JSON.stringify({
        camera_matrix: { data: [9, 0, 4, 0, 9, 4, 0, 0, 1] },
        image_width: 8,
        image_height: 8,
        [entry]: 1,
      }),
      { name: 'a.json' },
    );
    return camera.width === 8;
  },
  'a setting and a value of a study': async (name) => {
    const study = `export default { trials: [JSON.parse(${JSON.stringify(JSON.stringify({ [name]: 1 }).replace('"__proto__"', '"__proto__"'))})],
      run: () => JSON.parse(${JSON.stringify(JSON.stringify({ [name]: 2, parameters: {} }))}) };`;
    return inFolder({ 'study.mjs': study }, async (folder) => {
      const swept = await gradsimIn(folder, ['sweep', 'study.mjs', '--out', 'out', '--workers', '1', '--quiet']);
      const paged = await gradsimIn(folder, ['study', 'out']);
      if (swept.code !== 0 || paged.code !== 0) throw new Error(`${swept.err}${paged.err}`);
      return true;
    });
  },
};
