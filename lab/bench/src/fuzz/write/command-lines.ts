import { encodeFrames, encodePng } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import { misspellName } from '../mutate.ts';
import { DROP } from './drop.ts';

/** A command line, the files in its working folder, and its expected outcome. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Words that the error must contain; undefined if the command line is valid. */
  readonly names?: readonly string[];
  /** Words that a valid command line must print. */
  readonly prints?: string;
  readonly about?: string;
}

/** Source of an experiment that estimates the speed of a point; given a film, it only reads the film. */
const GOOD = `${DROP}
export default {
  name: 'drop',
  description: 'A drop.',
  stages: ({ settings }) => {
    if ('angle' in settings) throw new Error('The setting angle is none of this experiment.');
    return [{ name: 'speed', problem: { ...problem, options: { search: { iterations: 3 } } } }];
  },
};
`;
const FILM = `
import { openVideo, readFrames, requireFrames } from '@gradsim/video';
export default {
  name: 'film',
  description: 'Reads a film.',
  stages: async ({ video }) => {
    if (!video) throw new Error('This experiment needs --video.');
    // Images have no clock.
    const film = await readFrames(video, video.endsWith('.gif') ? {} : { frameRate: 30 });
    requireFrames(film, { frameRate: 30, count: 4 });
    throw new Error('The film is as it should be.');
  },
};
`;
const problem = (change: string): string => GOOD.replace('options: { search: { iterations: 3 } }', change);

/** Sources of experiments with an error, and words that the message must contain. */
const BAD: readonly [code: string, names: string[], about: string][] = [
  ['export default {', ['bad.mjs'], 'no JavaScript'],
  ['throw new Error("The shop is closed today.");', ['The shop is closed today.'], 'throws'],
  ['export const experiment = 1;', ['bad.mjs'], 'no default export'],
  ['export default 3;', ['bad.mjs'], 'a number'],
  ['export default { name: "x" };', ['stages'], 'no stages'],
  ['export default { name: "../x", description: "", stages: () => [] };', ['..'], 'a name with ..'],
  [`export default { name: "${'x'.repeat(300)}", description: "", stages: () => [] };`, ['name'], 'a long name'],
  ['export default { name: "x", description: "", stages: () => [] };', ['stage'], 'an empty list of stages'],
  ['export default { name: "x", description: "", stages: () => 3 };', ['stages'], 'stages that are none'],
  [
    'export default { name: "x", description: "", stages: () => { throw new Error("No luck with it."); } };',
    ['No luck with it.'],
    'stages throw',
  ],
  [
    'export default { name: "x", description: "", stages: () => new Promise(() => {}) };',
    ['never'],
    'a promise never kept',
  ],
  ["import 'nothing-like-it-is-there';\nexport default {};", ['nothing-like-it-is-there'], 'imports what is not there'],
  [
    "import { nothing } from '@gradsim/core';\nexport default { name: 'x', description: '', stages: () => nothing() };",
    ['nothing'],
    'imports what a package has not',
  ],
  [problem('option: {},'), ['option'], 'a misspelt part of the problem'],
  [problem('options: { search: { iteratons: 3 } },'), ['iteratons'], 'a misspelt option'],
  [problem('losses: [{ field: "particles.positon" }],'), ['particles.positon'], 'a misspelt field'],
  [GOOD.replace('frames: 3', 'frames: 4'), ['particles.position'], 'a target of another length'],
  [GOOD.replace('mass: 1', 'mass: -1'), ['particles.mass'], 'a negative mass'],
  [GOOD.replace('mass: 1', 'mas: 1'), ['particles', 'mas'], 'a misspelt column'],
  [GOOD.replace('substeps: 2', 'substeps: 1e9'), ['substeps'], 'too many substeps'],
];

const GREY = new Float32Array(192).fill(0.4);
const PNG = await encodePng({ width: 8, height: 8, channels: 3, frameRate: 30, data: GREY });
const FAST = {
  width: 8,
  height: 8,
  channels: 3,
  frameRate: 50,
  data: new Float32Array(4 * 192).fill(0.4),
} as const;
const FAST_GIF = await encodeFrames(FAST, 'gif');
const pictures = (numbers: readonly number[], folder = 'frames'): Record<string, Uint8Array> =>
  Object.fromEntries(numbers.map((n) => [`${folder}/${String(n).padStart(4, '0')}.png`, PNG]));

/**
 * Films that do or do not fit the experiment: the `--video` argument, the files, and words that the output must
 * contain.
 */
const FILMS: readonly [video: string, files: Record<string, string | Uint8Array>, names: string[]][] = [
  ['frames', pictures([0, 1, 2, 3]), ['The film is as it should be.']],
  ['frames/%04d.png', pictures([0, 1, 2, 3]), ['The film is as it should be.']],
  ['frames', pictures([0, 1, 3, 4]), ['number 2 is missing']],
  ['frames/%04d.png', pictures([0, 1, 3, 4]), ['number 2 is missing']],
  ['frames', pictures([0, 1, 2]), ['3', '4']],
  ['frames', { 'frames/readme.txt': 'none' }, ['frames']],
  ['fast.gif', { 'fast.gif': FAST_GIF }, ['50', '30']],
  ['nowhere', {}, ['nowhere']],
  ['nowhere.mp4', {}, ['nowhere.mp4']],
  ['nowhere/%04d.png', {}, ['nowhere']],
  ['film.mp4', { 'film.mp4': 'not at all a film' }, ['film.mp4']],
  ['film.gif', { 'film.gif': '' }, ['film.gif']],
  ['frames', { ...pictures([0, 1, 2]), 'frames/0003.png': 'no picture' }, ['0003.png']],
  ['', {}, ['--video']],
];

const FLAGS = ['--device', '--threads', '--out', '--seed', '--iterations', '--starts', '--set', '--resume', '--video'];

export function drawnCommand(random: Draw): CommandLine {
  const good = { 'good.mjs': GOOD };
  const estimate = ['estimate', './good.mjs', '--device', random.pick(['f64', 'cpu'])];
  const refused = (args: readonly string[], names: string[], files: CommandLine['files'] = good): CommandLine => ({
    args,
    files,
    names,
  });
  const ways: (() => CommandLine)[] = [
    () => ({ args: [...estimate, '--json'], files: good, prints: '"experiment"' }),
    () => ({ args: [...estimate, '--out', 'here', '--seed', '5', '--quiet'], files: good, prints: 'speed' }),
    () => ({ args: ['devices', '--json'], files: {}, prints: 'cpu' }),
    () => ({ args: [random.pick(['--help', '--version'])], files: {} }),
    () => {
      const [code, names, about] = random.pick(BAD);
      return { args: ['estimate', './bad.mjs', '--device', 'f64'], files: { 'bad.mjs': code }, names, about };
    },
    () => {
      const [video, files, names] = random.pick(FILMS);
      return refused(['estimate', './film.mjs', '--video', video], names, { ...files, 'film.mjs': FILM });
    },
    () => {
      const wrong = misspellName(random.pick(FLAGS).slice(2), random, []);
      return refused([...estimate, `--${wrong}`, '1'], [`--${wrong}`]);
    },
    () => {
      const wrong = misspellName(random.pick(['estimate', 'render', 'devices', 'check']), random, []);
      return refused([wrong, './good.mjs'], [wrong]);
    },
    () => refused([...estimate, random.pick(FLAGS)], ['argument missing']),
    () => {
      const flag = random.pick(['--threads', '--seed', '--iterations', '--starts']);
      const value = random.pick(['-1', '1.5', 'x', 'NaN', '1e99', '', '0x', '9'.repeat(40)]);
      return refused([...estimate, flag, value], [flag]);
    },
    () => {
      const [flag, value] = random.pick([
        ...[
          ['--seed', '5'],
          ['--device', 'cpu'],
          ['--out', 'here'],
          ['--quiet', ''],
          ['--set', 'a=1'],
        ],
      ] as const);
      const given = value === '' ? [flag] : [flag, value];
      return refused([...estimate.slice(0, 2), ...given, ...given], [flag, 'twice']);
    },
    () => refused([...estimate, '--starts', random.pick(['1e9', '100001', '9007199254740991'])], ['starts', '100000']),
    () => {
      const device = random.pick(['gpu', 'CPU', '', 'f32', '../cpu']);
      return refused(['estimate', './good.mjs', '--device', device], ['device']);
    },
    () => {
      const value = random.pick(['angle', '=3', 'angle=1']);
      return refused([...estimate, '--set', value], [value.startsWith('=') ? '--set' : 'angle']);
    },
    () => {
      const name = random.pick([
        './nowhere.mjs',
        '../../nowhere.ts',
        'nothing',
        '.',
        './',
        '',
        `./${'x'.repeat(300)}.mjs`,
        './folder',
      ]);
      return refused(['estimate', name], [name.slice(0, 100)], { ...good, 'folder/file.txt': 'x' });
    },
    () => refused([...estimate, '--out', 'there'], ['there'], { ...good, 'there/note.txt': 'mine' }),
    () => refused([...estimate, '--out', 'file'], ['file'], { ...good, file: 'mine' }),
    () => refused([...estimate, '--out', 'x'.repeat(300)], ['xxx']),
    () => refused(['estimate', '--resume', random.pick(['nowhere', 'good.mjs', '.'])], ['run.json']),
    () => refused([...estimate, '--resume', 'out'], ['--resume']),
    () => {
      const flag = random.pick(['--video', '--out', '--set', '--seed']);
      return refused([...estimate, flag, ''], [flag]);
    },
    () => refused(['estimate', '--resume', ''], ['--resume']),
    () => refused(['estimate'], ['xperiment']),
    () => refused([...estimate, './another.mjs'], ['argument']),
    () => {
      const out = random.pick(['film.avi', 'film.mp3', 'x/../../../film.xyz']);
      return refused(['render', './good.mjs', '--out', out], []);
    },
  ];
  return random.pick(ways)();
}
