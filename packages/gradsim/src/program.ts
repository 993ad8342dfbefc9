import { availableParallelism } from 'node:os';
import { GradsimError } from '@gradsim/core';
import { KINDS } from '@gradsim/kinds';
import { Command, CommanderError } from 'commander';
import type { CalibrateCommandOptions } from './commands/calibrate.ts';
import type { EstimateCommandOptions } from './commands/estimate/estimate-options.ts';
import type { LookCommandOptions } from './commands/look.ts';
import type { NewCommandOptions } from './commands/new.ts';
import type { RenderCommandOptions } from './commands/render.ts';
import type { StudioCommandOptions } from './commands/studio.ts';
import type { StudyCommandOptions } from './commands/study/study.ts';
import type { SweepCommandOptions } from './commands/study/sweep.ts';
import type { WorkerCommandOptions } from './commands/study/worker.ts';
import type { PlanCommandOptions } from './experiment/plan-options.ts';
import {
  anyNumber,
  collectSetting,
  duration,
  notEmpty,
  oneOf,
  positiveNumber,
  wholeNumber,
} from './experiment/settings.ts';
import { commandPackage } from './modules/installed.ts';
import { printableTerminal } from './terminal/printable.ts';
import { reportError } from './terminal/report-error.ts';
import type { Terminal } from './terminal/terminal.ts';
import type { TrackCommandOptions } from './track/options.ts';

/**
 * Runs the command line and returns the exit code: 0; 1 after an error, which is one message with its code on standard
 * error, and with `--json` a line on standard output, or where `doctor` finds something wrong; 3 after an estimate that is not trusted, 4 after one that did not
 * reach its goal; 130 after an interrupt.
 *
 * ```ts
 * process.exitCode = await runProgram(process.argv.slice(2), processTerminal());
 * ```
 */
export async function runProgram(args: readonly string[], given: Terminal): Promise<number> {
  const terminal = printableTerminal(given);
  let code = 0;
  const program = build(terminal, (c) => {
    code = c;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // The parser ends with an error after --help and --version too, and after the help of a command line without a command.
    if (error instanceof CommanderError && !error.message.startsWith('error: ')) return error.exitCode;
    const isOfParser = error instanceof CommanderError;
    reportError(
      isOfParser ? new GradsimError('gradsim/command-line', asSentence(error.message)) : error,
      args,
      terminal,
    );
    return 1;
  }
}

function build(terminal: Terminal, done: (code: number) => void): Command {
  const program = new Command('gradsim')
    .description('Physical parameters from video.')
    .version(commandPackage().version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .option('--debug', 'print where in the code an error arose')
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
      // `runProgram` prints the error that is thrown then.
      outputError: () => {},
    })
    .exitOverride();

  // Modules of a command are loaded when it runs: cameras, videos and charts take longer than this one. Subcommands
  // take over the parent's output and exits from here on.
  const command = (usage: string, description: string): Command =>
    program
      .command(usage)
      .description(description)
      .helpOption('--help', 'print this help')
      .option('--debug', 'print where in the code an error arose');
  const number = (option: string, least: number, most?: number) => (text: string) =>
    wholeNumber(option, text, least, most);
  const time = (option: string, least?: number) => (text: string) => duration(option, text, least);
  const named = (option: string) => (text: string) => notEmpty(option, text);
  const experimentText =
    'a TypeScript or JavaScript module that exports an experiment, or the name of one of the examples';

  command('estimate', 'estimate the parameters of an experiment')
    .argument('[experiments...]', `${experimentText}; of several, what they share is estimated together`)
    .option(
      '--shared <name>',
      'of several experiments: an unknown that has one value in all; may be given again',
      collectFile('--shared'),
    )
    .option(
      '--video <film>',
      'the film that the experiment is to use: a file, a folder of images or their pattern',
      named('--video'),
    )
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--device <name>', 'auto, cpu, webgpu or f64', 'auto')
    .option('--threads <n>', 'threads of the device cpu', number('--threads', 1, MOST_AT_ONCE))
    .option('--profile', 'print the time of every pass at the end; on one thread')
    .option('--resume <folder>', 'go on with a run that was ended, with all its options', named('--resume'))
    .option(
      '--out <folder>',
      'where result.json and report.html go (default: out/NAME, or the next free out/NAME-2 ...)',
      named('--out'),
    )
    .option('--json', 'print one line of JSON a stage on standard output, everything else on standard error')
    .option('--force', 'replace the results in a folder that is there already')
    .option('--seed <n>', 'seed of what is drawn at random', number('--seed', 0))
    .option('--iterations <n>', 'at most so many iterations', number('--iterations', 1))
    .option('--starts <n>', 'so many starts side by side', number('--starts', 1, MOST_STARTS))
    .option('--from <result>', 'start where another run ended: its result.json, or its folder', named('--from'))
    .option(
      '--intervals <how>',
      'profile or bootstrap: 95 % intervals so, beside those of the curvature',
      (text: string) => oneOf('--intervals', text, ['profile', 'bootstrap']),
    )
    .option('--verify', 'estimate again with half the substep and a finer mesh, and say what that moves')
    .option('--set <name=value>', 'a setting of the experiment; may be given again', collectSetting, {})
    .option('--fit <formula>', 'of a film: fitted to its motion, as in "y = a t^2 + b t + c"', collectFile('--fit'), [])
    .option('--start <name=value>', 'where a parameter of a formula starts', collectStart, {})
    .option('--plan <file>', 'a plan of gradsim plan, of which it is said whether it was kept', named('--plan'))
    .option('--quiet', 'print results only')
    .action(async ([name, ...others]: string[], options: EstimateCommandOptions) =>
      done(
        others.length > 0
          ? await (await import('./commands/estimate/together.ts')).togetherCommand(
              [name, ...others],
              options,
              terminal,
            )
          : await (await import('./commands/estimate/estimate.ts')).estimateCommand(name, options, terminal),
      ),
    );

  command(
    'plan',
    'foretell which experiment to do next, by the error bars that it would give, or plan the motion of a robot',
  )
    .argument('<experiment>', `${experimentText}; or the URDF or MJCF of a robot`)
    .option('--video <film>', 'the film that the experiment is to use', named('--video'))
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--from <result>', 'what an estimate found: its result.json, or its folder', named('--from'))
    .option(
      '--wanted <name>',
      'an unknown that is wanted (default: the first answer); may be given again',
      collectFile('--wanted'),
      [],
    )
    .option('--choose <n>', 'number of the experiment that will be done, the best being 1', number('--choose', 1), 1)
    .option('--device <name>', 'auto, cpu, webgpu or f64', 'auto')
    .option('--threads <n>', 'threads of the device cpu', number('--threads', 1, MOST_AT_ONCE))
    .option('--set <name=value>', 'a setting of the experiment; may be given again', collectSetting, {})
    .option('--out <folder>', 'where plan.json goes (default: out/plan-NAME)', named('--out'))
    .option('--force', 'replace the plan in a folder that is there already')
    .option('--json', 'print one line of JSON on standard output, everything else on standard error')
    .action(async (name: string, options: PlanCommandOptions) =>
      done(await (await import('./commands/plan.ts')).planCommand(name, options, terminal)),
    );

  command(
    'new',
    'write an experiment for a film, poses or markers of your own, or calibrate a robot with logs of its joints',
  )
    .argument(
      '<kind>',
      `what moves: ${KINDS.map(({ name }) => name).join(', ')}; robot; or a kind of others, @someone/kind or ./kind.ts`,
    )
    .option('--video <film>', 'the film: a file, a folder of images or their pattern', named('--video'))
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--poses <file>', 'of a body: a table with time, x, y, z, qx, qy, qz, qw, or MCAP', named('--poses'))
    .option(
      '--markers <file>',
      'of markers on a soft body: a CSV with frame or time, marker, x, y, z',
      named('--markers'),
    )
    .option('--mesh <file>', 'of markers: the shape of the body', named('--mesh'))
    .option('--clamp <side>', 'of markers: what is held, as in "x<-0.099"', named('--clamp'))
    .option('--model <file>', 'of a robot: its URDF or MJCF', named('--model'))
    .option(
      '--log <file>',
      'a table with time, positions and torques of its joints, MCAP or Parquet; may be given again',
      collectFile('--log'),
    )
    .option(
      '--with-payload <file>',
      'a log like those of --log, with a known payload (--set payload=KG); may be given again',
      collectFile('--with-payload'),
    )
    .option(
      '--hold-out <file>',
      'a log that is not fitted but predicted; may be given again',
      collectFile('--hold-out'),
    )
    .option(
      '--topic <name>',
      'of a file with several recordings: the topic or episode that is read, as FILE#NAME does for one file',
      named('--topic'),
    )
    .option(
      '--export <file>',
      "the robot's file with the estimated numbers; of markers: a file for MuJoCo that an estimate writes",
      named('--export'),
    )
    .option(
      '--variants <n>',
      'of a robot: so many robots that the logs allow, written beside --export',
      number('--variants', 1, MOST_VARIANTS),
    )
    .option('--check', 'of a robot: tell what the logs cover and what their motion can determine, and end')
    .option('--set <name=value>', 'what was measured, or how to fit; may be given again', collectSetting, {})
    .option('--out <folder>', 'where it goes (default: a folder of the name of its kind; out/robot)', named('--out'))
    .option('--copy', "copy the kind's source, to change its model")
    .option('--force', 'of a robot: replace results and exported file')
    .option('--json', 'of a robot: print one line of JSON on standard output, everything else on standard error')
    .action(async (kind: string, options: NewCommandOptions) =>
      done(await (await import('./commands/new.ts')).newCommand(kind, options, terminal)),
    );

  command('studio', 'estimate from a film in a page of the browser')
    .argument('[film]', 'the film that the page opens; others can be dropped on it')
    .option(
      '--kind <kind>',
      'a kind of others, @someone/kind or ./kind.ts, which the page offers too; may be given again',
      collectFile('--kind'),
      [],
    )
    .option('--port <n>', 'port on this machine (default: any that is free)', number('--port', 0, 65_535), 0)
    .action(async (film: string | undefined, options: StudioCommandOptions) =>
      done(await (await import('./commands/studio.ts')).studioCommand(film, options, terminal)),
    );

  command('render', 'render an experiment to a film, to PNGs, or to an animated glTF')
    .argument('<experiment>', experimentText)
    .option(
      '--out <file>',
      'a file that ends in .mp4, .webm, .gif or .glb, or a folder for PNGs (default: out/NAME.gif)',
      named('--out'),
    )
    .option('--device <name>', 'auto, cpu, webgpu or f64', 'auto')
    .option('--threads <n>', 'threads of the device cpu', number('--threads', 1, MOST_AT_ONCE))
    .option('--profile', 'print the time of every pass at the end; on one thread')
    .option(
      '--video <film>',
      'the film that the experiment is to use: a file, a folder of images or their pattern',
      named('--video'),
    )
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--from <result>', 'what an estimate found: its result.json, or its folder', named('--from'))
    .option('--set <name=value>', 'a setting of the experiment; may be given again', collectSetting, {})
    .option('--compare', 'of results: target, estimate and difference side by side; EXPERIMENT is their folder')
    .option('--stage <name>', 'the stage that is shown (default: the last with frames)', named('--stage'))
    .option('--force', 'replace what is there already')
    .action(async (name: string, options: RenderCommandOptions) =>
      done(await (await import('./commands/render.ts')).renderCommand(name, options, terminal)),
    );

  command(
    'look',
    'show what moves in a film: masks, tracks, timing; or what is in another file, and the command that goes on',
  )
    .argument('<film>', 'a film, a folder of images or their pattern; or a table, a camera, a robot, a mesh')
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--first <n>', 'first frame, counted from 0', number('--first', 0))
    .option('--last <n>', 'last frame', number('--last', 0))
    .option('--every <n>', 'every so many frames', number('--every', 1))
    .option(
      '--frame-rate <n>',
      'frames a second when it was taken (default: by the clock of the file)',
      (text: string) => positiveNumber('--frame-rate', text),
    )
    .option(
      '--background <file>',
      'a picture without what moves (default: the median over time)',
      named('--background'),
    )
    .option('--camera <file>', 'the camera, of calibrate or of other tools: tracks in metres too', named('--camera'))
    .option('--no-shadows', 'dark grey is no shadow, but moves: for a grey object before grey')
    .option('--chroma <place>', 'where colour lies: left, or centre in films made of pictures', 'left')
    .option('--topic <name>', 'of a file with several recordings: the topic or episode', named('--topic'))
    .option('--csv <file>', 'write the table that is taken from such a file', named('--csv'))
    .option('--out <folder>', 'where look.html, look.json and tracks.csv go (default: out/look-NAME)', named('--out'))
    .option('--force', 'replace the results in a folder that is there already')
    .option('--json', 'print one line of JSON on standard output, everything else on standard error')
    .action(async (film: string, options: LookCommandOptions) =>
      done(await (await import('./commands/look.ts')).lookCommand(film, options, terminal)),
    );

  command('track', 'follow something in a film: place, speed, acceleration, energy with error bars; fit formulas')
    .argument('<film>', 'a film, a folder of images or their pattern')
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--length <metres>', 'a known length in the plane of the motion, as in "1 m"', (text: string) =>
      positiveNumber('--length', text, 'length'),
    )
    .option(
      '--between <x,y,x,y>',
      'its ends, pixels from the left and upper edge',
      numbersOf('--between', '100,240,540,240'),
    )
    .option('--size <metres>', 'diameter of what is followed, in place of a length', (text: string) =>
      positiveNumber('--size', text, 'length'),
    )
    .option(
      '--length-tolerance <part>',
      'standard deviation of the length or the size, as in "1 %"',
      (text: string) => positiveNumber('--length-tolerance', text, 'part'),
      0.01,
    )
    .option('--origin <x,y>', 'place of the origin, px (default: the first point)', numbersOf('--origin', '100,240'))
    .option(
      '--axis <degrees>',
      'angle of the x axis from the right, counter-clockwise',
      (text: string) => anyNumber('--axis', text, 'turn'),
      0,
    )
    .option('--object <n>', 'number of the moving thing in gradsim look (default: the largest)', number('--object', 1))
    .option('--marks <file>', 'marks of a person, a CSV with frame,x,y in px', named('--marks'))
    .option('--mark-error <px>', 'standard error of a mark', (text: string) => positiveNumber('--mark-error', text))
    .option('--marks-alone', 'follow nothing: marks count alone')
    .option('--first <n>', 'first frame, counted from 0', number('--first', 0))
    .option('--last <n>', 'last frame', number('--last', 0))
    .option('--frame-rate <n>', 'frames a second when it was taken (default: by the file)', (text: string) =>
      positiveNumber('--frame-rate', text),
    )
    .option('--background <file>', 'a picture without what moves', named('--background'))
    .option('--steady', 'undo the movement of a hand-held camera')
    .option('--mass <kilograms>', 'mass, for energies, as in "58 g"', (text: string) =>
      positiveNumber('--mass', text, 'mass'),
    )
    .option(
      '--gravity <n>',
      'acceleration of free fall, m/s^2, for potential energy',
      (text: string) => positiveNumber('--gravity', text, 'acceleration'),
      9.81,
    )
    .option(
      '--window <points>',
      'points of the cubics for velocities, odd (default: by the noise)',
      number('--window', 5),
    )
    .option('--fit <formula>', 'as in "y = a t^2 + b t + c"; may be given again', collectFile('--fit'), [])
    .option('--start <name=value>', 'where a parameter starts; may be given again', collectStart, {})
    .option('--out <folder>', 'where the results go (default: out/track-NAME)', named('--out'))
    .option('--force', 'replace the results in a folder that is there already')
    .option('--json', 'print one line of JSON on standard output, everything else on standard error')
    .action(async (film: string, options: TrackCommandOptions) =>
      done(await (await import('./commands/track.ts')).trackCommand(film, options, terminal)),
    );

  command('calibrate', "find a camera's lens and place: from a checkerboard, known points, or a known length")
    .argument('[films...]', 'films or pictures of a board; with --length the one in which it was measured')
    .option('--track <n>', TRACK, number('--track', 1))
    .option('--board <corners>', 'inner corners across and down, where four squares meet, as in 9x6', named('--board'))
    .option('--square <metres>', 'side of a square of the board', (text: string) =>
      positiveNumber('--square', text, 'length'),
    )
    .option('--first <n>', 'first frame, counted from 0', number('--first', 0))
    .option('--last <n>', 'last frame', number('--last', 0))
    .option('--pictures <n>', 'at most so many pictures of each film', number('--pictures', 1), 20)
    .option(
      '--lens <terms>',
      'distortion that is looked for: none, radial (k1, k2) or full (k1, k2, p1, p2, k3)',
      (text: string) => oneOf('--lens', text, ['none', 'radial', 'full']),
      'full',
    )
    .option('--camera <file>', 'the lens, where it is known', named('--camera'))
    .option('--floor <picture>', 'a picture of the board on the floor: where the camera is', named('--floor'))
    .option('--points <file>', 'known points, a CSV with px,py,x,y,z: where the camera is', named('--points'))
    .option('--length <metres>', 'a known length on a plane that faces the camera', (text: string) =>
      positiveNumber('--length', text, 'length'),
    )
    .option(
      '--between <x,y,x,y>',
      'its ends, pixels from the left and upper edge',
      numbersOf('--between', '100,240,540,240'),
    )
    .option('--field-of-view <degrees>', 'of the camera, from the bottom to the top of the picture', (text: string) =>
      positiveNumber('--field-of-view', text, 'angle'),
    )
    .option(
      '--format <name>',
      'of the file: gradsim, opencv, ros, colmap or transforms',
      (text: string) => oneOf('--format', text, ['gradsim', 'opencv', 'ros', 'colmap', 'transforms']),
      'gradsim',
    )
    .option('--out <file>', 'the camera file', named('--out'), 'camera.json')
    .option('--force', 'replace a file that is there already')
    .option('--json', 'print one line of JSON on standard output, everything else on standard error')
    .action(async (films: string[], options: CalibrateCommandOptions) =>
      done(await (await import('./commands/calibrate.ts')).calibrateCommand(films, options, terminal)),
    );

  const memoryLimited = (of: Command): Command =>
    of.option(
      '--memory-limit <megabytes>',
      "memory of a trial (default: a process's part of four fifths of the machine's)",
      (text: string) => positiveNumber('--memory-limit', text),
    );
  const pooled = (of: Command): Command =>
    memoryLimited(of)
      .option(
        '--workers <n>',
        'trials side by side, each in a process',
        number('--workers', 1, MOST_AT_ONCE),
        availableParallelism(),
      )
      .option('--time-limit <duration>', 'time of a trial, as in 90s, 15min, 2h', time('--time-limit'), 3600)
      .option('--attempts <n>', 'at most so many, where a process ends', number('--attempts', 1, MOST_ATTEMPTS), 2)
      .option('--device <name>', 'of estimations: auto, cpu, webgpu or f64', 'cpu')
      .option('--set <name=value>', 'a setting; may be given again', collectSetting, {})
      .option('--json', 'print one line of JSON on standard output, everything else on standard error')
      .option('--quiet', 'no progress');

  pooled(command('sweep', 'run the trials of a study, those that have no result yet'))
    .argument('<study>', 'a TypeScript or JavaScript module that exports a study')
    .requiredOption('--out <folder>', 'where results go; one that has some goes on', named('--out'))
    .option('--data <folder>', DATA, named('--data'))
    .option('--queue <address>', `let gradsim worker run the trials, on any machine: ${QUEUE}`, named('--queue'))
    .action(async (file: string, options: SweepCommandOptions) =>
      done(await (await import('./commands/study/sweep.ts')).sweepCommand(file, options, terminal)),
    );

  memoryLimited(command('worker', 'run trials of a study that gradsim sweep --queue has queued, until it is ended'))
    .argument('<study>', 'the same module, in the same version, with the same packages')
    .requiredOption('--queue <address>', QUEUE, named('--queue'))
    .option(
      '--concurrency <n>',
      'trials side by side',
      number('--concurrency', 1, MOST_AT_ONCE),
      availableParallelism(),
    )
    .option('--data <folder>', DATA, named('--data'))
    .option(
      '--out <folder>',
      "where files of trials go: the sweep's folder, where it is shared",
      named('--out'),
      'out/worker',
    )
    .option(
      '--lease <duration>',
      'time after which a trial of a worker that is gone is given to another',
      time('--lease', 1),
      30,
    )
    .action(async (file: string, options: WorkerCommandOptions) =>
      done(await (await import('./commands/study/worker.ts')).workerCommand(file, options, terminal)),
    );

  pooled(command('study', 'write the page of a study, or of two; with --experiment or --kind, estimate films first'))
    .argument('<names...>', 'folders of studies; with --experiment films, or a folder of films; with --kind a sheet')
    .option('--experiment <module>', `what is estimated on each film: ${experimentText}`, named('--experiment'))
    .option(
      '--kind <name>',
      'the kind that is estimated on a table of films, a line each, with what was measured in its columns',
      named('--kind'),
    )
    .option(
      '--out <folder>',
      'where results of films go; one that has some goes on (default: out/study)',
      named('--out'),
    )
    .option('--for-spreadsheet', 'study.csv: an apostrophe before texts that a spreadsheet would evaluate')
    .option('--watch', 'write the page anew while results arrive; it loads itself anew')
    .action(async (names: string[], options: StudyCommandOptions) =>
      done(await (await import('./commands/study/study.ts')).studyCommand(names, options, terminal)),
    );

  command('devices', 'list what this machine can run on')
    .option('--json', 'print one line of JSON a device')
    .action(async (options: { json?: boolean }) =>
      done(await (await import('./commands/device/devices.ts')).devicesCommand(options, terminal)),
    );

  command('doctor', 'check Node, the packages of a folder, devices and codecs, and say what mends what is wrong')
    .argument('[folder]', 'of the experiment or project', '.')
    .option('--json', 'print one line of JSON')
    .action(async (folder: string, options: { json?: boolean }) =>
      done(await (await import('./commands/doctor.ts')).doctorCommand(folder, options, terminal)),
    );

  for (const each of program.commands) refuseOptionsGivenTwice(each);
  return program;
}

/** Most threads, or processes, side by side: more than any machine has. */
const MOST_AT_ONCE = 1024;
/** Most starts of a search side by side: each is a world of its own in memory. */
const MOST_STARTS = 100_000;
/** Most drawn robots: each is a file. */
const MOST_VARIANTS = 1000;
/** Most attempts at a trial. */
const MOST_ATTEMPTS = 1000;

/** Options that may be repeated, by command name; `''` for all commands. */
const AGAIN: Readonly<Record<string, readonly string[]>> = {
  '': ['set'],
  estimate: ['shared', 'fit', 'start'],
  new: ['log', 'withPayload', 'holdOut'],
  track: ['fit', 'start'],
  plan: ['wanted'],
  studio: ['kind'],
};

/** Makes a command refuse repeated options; without this the last value would win. */
function refuseOptionsGivenTwice(command: Command): void {
  const again = [...AGAIN[''], ...(AGAIN[command.name()] ?? [])];
  for (const option of command.options) {
    if (again.includes(option.attributeName())) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven)
        throw new GradsimError('gradsim/option-twice', `${option.long} is given twice.`, { hint: 'Give it once.' });
      isGiven = true;
    });
  }
}

const DATA = 'files that trials read, the same on every machine: their hash is part of the version';
const QUEUE = 'redis://HOST[:PORT], or rediss:// for TLS';
const TRACK = 'video track of a film with several, counted from 1 (default: the main one)';

/** Parses two points, x1,y1,x2,y2. @throws unless there are four numbers. */
const numbersOf =
  (option: string, example: string) =>
  (text: string): number[] => {
    const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
    const count = example.split(',').length;
    if (numbers.length === count && numbers.every(Number.isFinite)) return numbers;
    throw new GradsimError(
      'gradsim/option-wrong',
      `${option} takes ${count === 4 ? 'four' : 'two'} numbers, as in ${example}, not "${text}".`,
    );
  };

const collectStart = (text: string, before: Record<string, string>) => collectSetting(text, before, '--start');

/** Collects the files, or other texts, of a repeatable option. */
const collectFile =
  (option: string) =>
  (file: string, before: readonly string[] = []): string[] => [...before, notEmpty(option, file)];

/** Rewrites the parser's `error: unknown option '--x'` in the style of other messages. */
function asSentence(text: string): string {
  const plain = text.replace(/^error: /, '').trim();
  const sentence = plain[0].toUpperCase() + plain.slice(1);
  return /[.?)]$/.test(sentence) ? sentence : `${sentence}.`;
}
