import { GradsimError } from '@gradsim/core';
import type { FileFormat, LookedFile } from './format.ts';

/** A format that is not read: what it is, and how to make one of it that is. */
interface Converted {
  readonly name: string;
  readonly isOne: (file: LookedFile) => boolean;
  readonly command: string;
}

const starts =
  (...marks: readonly string[]) =>
  ({ head }: LookedFile): boolean =>
    marks.some((mark) => head.startsWith(mark));

const LIST: readonly Converted[] = [
  {
    name: 'a bag of ROS 1',
    isOne: starts('#ROSBAG'),
    command:
      'Convert it to MCAP: mcap convert FILE run.mcap; or write the topic as a table: rostopic echo -b FILE -p /joint_states > log.csv',
  },
  {
    name: 'a bag of ROS 2, an SQLite database',
    isOne: starts('SQLite format 3'),
    command:
      'Convert it to MCAP: mcap convert FILE run.mcap; or open it with PlotJuggler, and save the fields of the topic as CSV.',
  },
  {
    name: 'a spreadsheet or another archive (ZIP)',
    isOne: starts('PK\x03\x04'),
    command: 'Save the sheet as CSV.',
  },
  {
    name: 'a file of MATLAB',
    isOne: starts('MATLAB'),
    command: "Write the matrix as a table in MATLAB: writematrix(data, 'log.csv')",
  },
  {
    name: 'a file of HDF5',
    isOne: starts('\x89HDF'),
    command: `Write the data set as a table: python -c "import h5py, numpy; numpy.savetxt('log.csv', h5py.File('FILE')['NAME'], delimiter=',')"`,
  },
  {
    name: 'an array of NumPy',
    isOne: starts('\x93NUMPY'),
    command: `Write it as a table: python -c "import numpy; numpy.savetxt('log.csv', numpy.load('FILE'), delimiter=',')"`,
  },
  {
    name: 'a mesh in COLLADA',
    isOne: ({ ending }) => ending === '.dae',
    command: 'Export it as .glb or .obj, with Blender for example.',
  },
];

/** Formats that are not read; looking at one refuses it with the command that converts. */
export const CONVERTED: readonly FileFormat[] = LIST.map(({ name, isOne, command }) => ({
  matches: isOne,
  describe: async ({ path }) => {
    throw new GradsimError('gradsim/format-to-convert', `${path} is ${name}, which is not read.`, {
      hint: command.replaceAll('FILE', path),
    });
  },
}));
