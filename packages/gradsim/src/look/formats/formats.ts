import { GradsimError } from '@gradsim/core';
import { isRecorded } from '@gradsim/recordings/files';
import { CONVERTED } from './converted.ts';
import { type FileDescription, type FileFormat, type LookedFile, lookedFile, oneOf } from './format.ts';

/** Files with parts that are tables: topics, episodes, data sets. */
const RECORDED: FileFormat = {
  matches: ({ head, path }) => isRecorded(Buffer.from(head, 'latin1'), path),
  describe: async (file) => (await import('./recorded.ts')).describeRecorded(file),
};

/** Kinds of files beside films, in the order in which they are tried. What reads them is loaded when one is described. */
const FORMATS: readonly FileFormat[] = [
  RECORDED,
  ...CONVERTED,
  {
    matches: oneOf('.urdf', '.xacro'),
    describe: async (file) => (await import('./robots.ts')).describeRobot(file),
  },
  {
    matches: ({ ending, head }) => ending === '.xml' && /<(?:robot|mujoco)[\s>]/.test(head),
    describe: async (file) => (await import('./robots.ts')).describeRobot(file),
  },
  {
    matches: oneOf('.obj', '.stl', '.gltf', '.glb'),
    describe: async (file) => (await import('./meshes.ts')).describeMesh(file),
  },
  {
    matches: (file) => oneOf('.yaml', '.yml', '.json', '.xml')(file) || /(?:^|[\\/])cameras\.txt$/.test(file.path),
    describe: async (file) => (await import('./cameras.ts')).describeCamera(file),
  },
  {
    matches: oneOf('.c3d'),
    describe: async (file) => (await import('./tables.ts')).describeMarkers(file),
  },
  {
    matches: oneOf('.csv', '.tsv', '.txt', '.dat', '.tum', '.trc', '.log', '.asc'),
    describe: async (file) => (await import('./tables.ts')).describeTableFile(file),
  },
];

/** Describes a file that is no film, or a part of it; undefined for one of an unknown kind. */
export async function describeFile(path: string, part?: string): Promise<FileDescription | undefined> {
  const file: LookedFile = lookedFile(path);
  const format = FORMATS.find(({ matches }) => matches(file));
  if (format && part !== undefined && format !== RECORDED)
    throw new GradsimError('gradsim/options-contradict', `${path} has no parts of which "${part}" could be one.`, {
      hint: 'Leave --topic away.',
    });
  return format?.describe({ ...file, ...(part === undefined ? {} : { part }) });
}
