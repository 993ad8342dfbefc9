import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readMesh, readTetMesh } from '@gradsim/mesh';
import { inspectFilm, readFrames } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import { type Case, type CaseOutcome, type Kind, outcomeOf } from '../kind.ts';
import { gradsimIn, inFolder } from '../write/in-process.ts';
import { cameOfCommand } from './commands.ts';

/** Things that stand where a file is wanted: pipes, devices, folders, links, files without end. */
export const specials: Kind = { name: 'specials', limit: 60, draw };

/** Ways to make what is no file that can be read, at a path. */
const SPECIAL_FILE_MAKERS: Readonly<Record<string, (path: string) => unknown>> = {
  'a folder': (path) => mkdirSync(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a pipe': (path) => {
    execFileSync('mkfifo', [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  '/dev/zero': (path) => symlinkSync('/dev/zero', path),
  '/dev/full': (path) => symlinkSync('/dev/full', path),
  '/dev/random': (path) => symlinkSync('/dev/urandom', path),
  'a link to nothing': (path) => symlinkSync(`${path}.none`, path),
  'a link to itself': (path) => symlinkSync(path, path),
  nothing: () => {},
  'an empty file': (path) => writeFileSync(path, ''),
  'five gigabytes of nothing': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 5e9);
  },
};

const ARM =
  '<robot name="a"><link name="b"/><link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint></robot>';
const command =
  (...args: readonly string[]) =>
  (path: string, folder: string): Promise<CaseOutcome> => {
    const all = args.map((arg) => (arg === '@' ? path : arg));
    return gradsimIn(folder, all).then((ended) => cameOfCommand({ args: all, files: {}, names: [] }, ended));
  };
const call = (read: (path: string) => unknown) => (path: string) =>
  outcomeOf(async () => {
    await read(path);
    return true;
  });
/** Readers, with the ending of the file that each takes. */
const READERS: readonly (readonly [string, string, (path: string, folder: string) => Promise<CaseOutcome>])[] = [
  ['readMesh', '.obj', call((path) => readMesh(path))],
  ['readMesh', '.glb', call((path) => readMesh(path))],
  ['readTetMesh', '.msh', call((path) => readTetMesh(path))],
  ['inspectFilm', '.mp4', call((path) => inspectFilm(path))],
  ['readFrames', '.gif', call((path) => readFrames(path))],
  ['look', '.mp4', command('look', '@', '--out', 'o')],
  ['new robot --model', '.urdf', command('new', 'robot', '--model', '@', '--log', 'log.csv')],
  ['new robot --log', '.csv', command('new', 'robot', '--model', 'arm.urdf', '--log', '@')],
  ['calibrate --points', '.csv', command('calibrate', '--points', '@', '--camera', 'camera.txt')],
  ['calibrate --camera', '.yml', command('calibrate', '--camera', '@', '--points', 'points.csv')],
  ['estimate', '.ts', command('estimate', '@', '--out', 'o')],
  ['sweep', '.ts', command('sweep', '@', '--out', 'o')],
  ['study', '', command('study', '@')],
  ['render --compare', '', command('render', '@', '--compare')],
  ['studio', '.mp4', command('studio', '@')],
];

async function draw(random: Draw): Promise<Case> {
  const [reader, ending, read] = random.pick(READERS);
  const kind = random.pick(Object.keys(SPECIAL_FILE_MAKERS));
  const name = `${random.pick(['a', 'ä b', "it's", '%s', '-x', '__proto__'])}${ending}`;
  return {
    about: `${reader}: ${kind} named ${name}`,
    // A folder without a film, a study or an experiment is refused for that; the studio takes any file.
    expected: reader === 'studio' && /file|gigabytes/.test(kind) ? 'either' : 'refused',
    names: [basename(name)],
    read: () =>
      inFolder(
        {
          'arm.urdf': ARM,
          'log.csv': 'time\n0\n',
          'camera.txt': '# COLMAP\n1 PINHOLE 8 8 10 10 4 4\n',
          'points.csv': '',
        },
        async (folder) => {
          const path = join(folder, name);
          SPECIAL_FILE_MAKERS[kind](path);
          // The studio would serve what it takes until it is ended.
          if (reader === 'studio' && /file|gigabytes/.test(kind)) return { what: 'accepted', isSame: true };
          return read(path, folder);
        },
      ),
  };
}
