import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { gradsimIn, inFolder } from '../write/in-process.ts';
import { cameOfCommand } from './commands.ts';

/** Numbers of the command's options: counts, ports and durations, right and wrong. */
export const numbers: Kind = { name: 'numbers', limit: 30, draw };

/** An option with its command, the least and the largest value that it takes, and whether it is a duration, s. */
interface Option {
  readonly args: readonly string[];
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly isDuration?: true;
  readonly isReal?: true;
}

const SAFE = Number.MAX_SAFE_INTEGER;
const MAX_DURATION = 24 * 86_400;
const sweep = ['sweep', 'nowhere.ts', '--out', 'out'];
const worker = ['worker', 'nowhere.ts', '--queue', 'redis://127.0.0.1:1'];
const OPTIONS: readonly Option[] = [
  { args: ['studio', 'nowhere.mp4'], name: '--port', least: 0, most: 65_535 },
  { args: ['estimate', 'nowhere.ts'], name: '--starts', least: 1, most: 100_000 },
  { args: ['estimate', 'nowhere.ts'], name: '--threads', least: 1, most: 1024 },
  { args: ['estimate', 'nowhere.ts'], name: '--iterations', least: 1, most: SAFE },
  { args: ['estimate', 'nowhere.ts'], name: '--seed', least: 0, most: SAFE },
  { args: ['look', 'nowhere.mp4'], name: '--first', least: 0, most: SAFE },
  { args: ['look', 'nowhere.mp4'], name: '--every', least: 1, most: SAFE },
  {
    args: ['look', 'nowhere.mp4'],
    name: '--frame-rate',
    least: Number.MIN_VALUE,
    most: Number.MAX_VALUE,
    isReal: true,
  },
  { args: sweep, name: '--workers', least: 1, most: 1024 },
  { args: sweep, name: '--attempts', least: 1, most: 1000 },
  { args: sweep, name: '--time-limit', least: 1e-3, most: MAX_DURATION, isDuration: true },
  { args: sweep, name: '--memory-limit', least: Number.MIN_VALUE, most: Number.MAX_VALUE, isReal: true },
  { args: worker, name: '--lease', least: 1, most: MAX_DURATION, isDuration: true },
  { args: worker, name: '--concurrency', least: 1, most: 1024 },
];
const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, ms: 1e-3, min: 60, m: 60, h: 3600, d: 86_400 };
const NO_NUMBERS = [
  ...[
    '',
    ' ',
    'x',
    'NaN',
    'Infinity',
    '-Infinity',
    '1,5',
    '1_000',
    '٣',
    '1e',
    '1 2',
    '--',
    'null',
    '[]',
    'constructor',
    '1constructor',
  ],
  ...['5 parsecs', '2h30', '1e999', '١', '\u200b1', '1\n2', '0b', '0x', '+-1', '1e1e1', 'true', '１'],
];

async function draw(random: Draw): Promise<Case> {
  const option = random.pick(OPTIONS);
  const { text, isRight } = drawn(option, random);
  const args = [...option.args, `${option.name}=${text}`];
  const line = { args, files: {}, names: [isRight ? 'nowhere' : option.name] };
  return {
    about: `gradsim ${args.join(' ')}`,
    // What is named is nowhere: a right number is refused for that alone.
    expected: 'refused',
    names: line.names,
    read: () => inFolder({}, async (folder) => cameOfCommand(line, await gradsimIn(folder, args))),
  };
}

function drawn({ least, most, isDuration, isReal }: Option, random: Draw): { text: string; isRight: boolean } {
  if (random.chance(0.3)) return { text: random.pick(NO_NUMBERS), isRight: false };
  const value = random.pick([
    ...[least, most, least - 1, most + 1, 0, -1, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 1e300, 25 * 86_400, 65_536, 1.5],
    random.whole(1, 1000),
    Math.round(10 ** (20 * random.next())),
  ]);
  const unit = isDuration ? random.pick(Object.keys(UNITS)) : '';
  const text = `${value}${unit}`;
  const seconds = value * UNITS[unit];
  const isWhole = isDuration || isReal || Number.isSafeInteger(value);
  return { text, isRight: isWhole && seconds >= least && seconds <= most && Number.isFinite(seconds) };
}
