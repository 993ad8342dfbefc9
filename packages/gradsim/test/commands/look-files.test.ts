import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McapWriter, TempBuffer } from '@mcap/core';
import { describe, expect, it } from 'vitest';
import { gradsim, temporaryFolder } from '../support.ts';

async function look(name: string, content: string | Uint8Array) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  const { code, stdout, stderr } = await gradsim(['look', path, '--json']);
  return { code, path, told: stdout[0] === undefined ? undefined : JSON.parse(stdout[0]), said: stderr.join('\n') };
}

/** MCAP with a topic of one joint each, in JSON. */
async function recordingOf(topics: readonly string[]): Promise<Uint8Array> {
  const writable = new TempBuffer();
  const writer = new McapWriter({ writable });
  await writer.start({ profile: '', library: 'a test' });
  const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
  const schema = { name: 'sensor_msgs/JointState', encoding: 'jsonschema', data: encode({}) };
  const schemaId = await writer.registerSchema(schema);
  for (const topic of topics) {
    const channel = { topic, messageEncoding: 'json', schemaId, metadata: new Map<string, string>() };
    const channelId = await writer.registerChannel(channel);
    for (let k = 0; k < 60; k++) {
      const at = BigInt(k + 1) * 10_000_000n;
      const header = { stamp: { sec: 0, nsec: Number(at) } };
      const data = encode({ header, name: [`${topic}_a`], position: [k / 100], effort: [1] });
      await writer.addMessage({ channelId, sequence: k, logTime: at, publishTime: at, data });
    }
  }
  await writer.end();
  return writable.get();
}

const rows = (count: number, row: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => row(k)).join('\n');

describe('gradsim look of a file that is no film', () => {
  it.each<[string, string, string, string, string, string]>([
    [
      'poses of a tracker',
      'toss.csv',
      `time [ms];x [mm];y [mm];z [mm];qx;qy;qz;qw\n${rows(20, (k) => `${10 * k};${k},5;2;3;0;0;0;1`)}`,
      'poses',
      'time in ms; x y z in mm; 100 frames a second; decimal commas',
      'new body --poses',
    ],
    [
      'poses of TUM, without headings',
      'groundtruth.tum',
      rows(20, (k) => `${(1.7e9 + k / 50).toFixed(4)} ${k} 2 3 0 0 0 1`),
      'poses',
      'time in s since 1970',
      'new body --poses',
    ],
    [
      'markers',
      'beam.csv',
      `frame,marker,x,y,z\n${rows(20, (k) => `${k},tip,0.1,0.2,${0.3 + k / 1e4}`)}`,
      'markers',
      'it does not say how many frames a second',
      '--set frameRate=RATE',
    ],
    [
      'a log of joints',
      'log.csv',
      `time,pos_a,tau_a,pos_b,tau_b\n${rows(20, (k) => `${k / 100},1,2,3,4`)}`,
      'joints',
      'a, b',
      'new robot --model',
    ],
    ['tracks', 'tracks.csv', `frame,x,y\n${rows(20, (k) => `${k},1,2`)}`, 'tracks', 'frames 0 to 19', 'readTracks'],
    [
      'tracks by time',
      'ball.txt',
      `t/ms;x;y\n${rows(20, (k) => `${k * 40};${100 + k},5;2`)}`,
      'tracks',
      '25 frames a second\n1: 20 points, frames 0 to 19',
      'frameRate: 25',
    ],
    [
      'tracks of two balls, one after the other',
      'balls.csv',
      `track,time,x,y\n${rows(40, (k) => `${k < 20 ? 'a' : 'b'},${((k % 20) / 29.97).toFixed(4)},${100 + k},2`)}`,
      'tracks',
      '29.97 frames a second',
      'frameRate: 29.97',
    ],
    ['known points', 'points.csv', `px,py,x,y,z\n1,2,3,4,5\n2,3,4,5,6`, 'points', '2', 'calibrate'],
    [
      'a robot',
      'arm.urdf',
      '<robot name="arm"><link name="a"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>',
      'urdf',
      'arm, 1 links of 2 kg',
      'new robot --model',
    ],
    [
      'a mesh in mm',
      'part.obj',
      'v 0 0 0\nv 90 0 0\nv 0 90 0\nv 0 0 90\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n',
      'obj',
      'In mm it would be 0.09',
      '--set mesh=',
    ],
    [
      'a camera',
      'info.yaml',
      'height: 480\nwidth: 640\ndistortion_model: plumb_bob\nd: [0, 0, 0, 0, 0]\nk: [600, 0, 320, 0, 600, 240, 0, 0, 1]\n---\n',
      'camera',
      '640 x 480',
      '--set camera=',
    ],
  ])('says what %s is, and what to do with it', async (_, name, content, format, line, next) => {
    const { code, told, path, said } = await look(name, content);
    expect(code, said).toBe(0);
    expect(told.format).toBe(format);
    expect(told.lines.join('\n')).toContain(line);
    expect(told.next.join('\n')).toContain(next);
    expect(told.next.join('\n')).toContain(path);
  });

  it('lists the topics of a recording, writes one as a table, and refuses what has no parts', async () => {
    const folder = temporaryFolder();
    const [path, csv] = [join(folder, 'run.mcap'), join(folder, 'log.csv')];
    writeFileSync(path, await recordingOf(['/arm', '/hand']));
    const whole = await gradsim(['look', path, '--json']);
    const told = JSON.parse(whole.stdout[0]);
    expect(told.format).toBe('mcap');
    expect(told.lines.join('\n')).toContain('/hand: sensor_msgs/JointState, 60 messages');
    expect(told.next).toEqual([`npx gradsim look ${path} --topic /arm`, `npx gradsim look ${path} --topic /hand`]);
    const one = await gradsim(['look', path, '--topic', '/hand', '--csv', csv]);
    expect(one.stdout.join('\n')).toContain(`new robot --model ROBOT.urdf --log ${path}#/hand`);
    expect(readFileSync(csv, 'utf8').split('\n')[0]).toBe('stamp [ns],/hand_a/position,/hand_a/effort');
    expect((await gradsim(['look', csv])).stdout.join('\n')).toContain('A log of joints, 60 samples');
    expect((await gradsim(['look', path, '--topic', '/foot'])).stderr.join('\n')).toContain('no topic "/foot"');
    expect((await gradsim(['look', path, '--csv', csv, '--force'])).stderr.join('\n')).toContain('--topic NAME');
    expect((await gradsim(['look', csv, '--topic', '/hand'])).stderr.join('\n')).toContain('no parts');
  });

  it.each<[string, string, string, string]>([
    ['a bag of ROS 1', 'a.bag', '#ROSBAG V2.0\n', 'rostopic echo -b'],
    ['a bag of ROS 2', 'a.db3', 'SQLite format 3\0', 'mcap convert'],
  ])('refuses %s with the command that converts it', async (_, name, content, command) => {
    const { code, said, path } = await look(name, content);
    expect(code).toBe(1);
    expect(said).toContain(command);
    expect(said).toContain(path);
  });

  it('says what is wrong with a table whose kind it knows', async () => {
    const text = `time,x,y,z,qx,qy,qz,qw\n${rows(20, (k) => `${10.5 * k},1,2,3,0,0,0,1`)}`;
    const { code, said } = await look('toss.csv', text);
    expect(code).toBe(1);
    expect(said).toContain('time [ms]');
  });
});
