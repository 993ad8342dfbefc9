import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { HOLLOW, type HollowTrack, hollowFilm } from '../write/hollow-films.ts';
import { nodeEnded } from '../write/node-process.ts';

/** Films with several tracks or many frames, decoded by a fake `ffmpeg` that misbehaves in various ways. */
export const decoders: Kind = { name: 'decoders', limit: 120, draw };

/** Time without progress after which decoding is given up, s: longer than a busy machine takes to start a process. */
const TIMEOUT = 6;

/** A fake `ffmpeg`: its behaviour, and the words that a refusal must contain. */
interface Program {
  readonly about: string;
  /** JavaScript that runs when decoding; by default it writes a complete film. */
  readonly source?: string;
  /** JavaScript that runs for `ffmpeg -version`; by default it exits with code 0. */
  readonly version?: string;
  /** Words that the refusal must contain; undefined if the program behaves correctly. */
  readonly names?: readonly string[];
}

const WHOLE = 'begin(); for (let k = first; k <= last; k++) frame(); end();';

async function draw(random: Draw): Promise<Case> {
  const tracks = Array.from(
    { length: random.whole(1, 3) },
    (): HollowTrack => ({
      frames: random.chance(0.1) ? random.whole(2000, 4000) : random.whole(2, 30),
      frameRate: random.pick([10, 20, 25]),
    }),
  );
  const chosen = random.chance(0.5) ? random.whole(1, tracks.length) : undefined;
  const isLost = random.chance(0.1);
  const track = isLost ? tracks.length + random.whole(1, 9) : chosen;
  const program = isLost || random.chance(0.3) ? { about: 'a sound ffmpeg', source: WHOLE } : drawnProgram(random);
  const forks = random.chance(0.5);
  const names = isLost ? [`no track ${track}`] : program.names;
  return {
    about: `${tracks.map(({ frames }) => frames).join(' and ')} frames, track ${track ?? 'not given'}: ${program.about}${forks ? ', with a child' : ''}`,
    expected: names ? 'refused' : 'valid',
    names,
    read: async () => cameOfReading(await hollowFilm(tracks), tracks, track, program, forks),
  };
}

function drawnProgram(random: Draw): Program {
  const flood = (stream: 'stdout' | 'stderr', text: string): string =>
    `const flood = () => process.${stream}.write(${JSON.stringify(text)}.repeat(4000), flood); flood();`;
  const stream = random.pick(['stdout', 'stderr'] as const);
  const noise = random.pick(['\u001b[2J', 'x', '\n', '[error', '\u0007\u0000', 'Stream #0 Video: (', '\u00e9']);
  const [w, h] = random.pick([
    [100_000, 100_000],
    [1, 1],
    [HOLLOW.height, HOLLOW.width],
  ]);
  const programs: readonly Program[] = [
    { about: 'hangs at -version', version: 'stays();', names: ['ffmpeg', '-version'] },
    { about: `floods ${stream} at -version`, version: flood(stream, noise), names: ['ffmpeg', '-version'] },
    { about: 'fails at -version', version: 'process.exit(3);', names: ['ffmpeg', 'code 3'] },
    {
      about: 'crashes at -version',
      version: "process.kill(process.pid, 'SIGABRT');",
      names: ['ffmpeg', 'SIGABRT'],
    },
    { about: 'hangs', source: 'stays();', names: ['ffmpeg', 'did not come'] },
    {
      about: 'hangs after a picture',
      source: 'begin(); frame(); stays();',
      names: ['ffmpeg', 'did not come'],
    },
    {
      about: `floods stdout with ${JSON.stringify(noise)}`,
      source: flood('stdout', noise),
      names: ['ffmpeg'],
    },
    {
      about: `floods stderr with ${JSON.stringify(noise)}`,
      source: flood('stderr', noise),
      names: ['ffmpeg'],
    },
    {
      about: `says ${w} x ${h} pixels`,
      source: `begin(${w}, ${h}); frame(); end();`,
      names: ['ffmpeg', `${w} x ${h}`],
    },
    {
      about: 'gives one too few',
      source: 'begin(); for (let k = first; k < last; k++) frame(); end();',
      names: ['ffmpeg', 'frame'],
    },
    {
      about: 'gives without end',
      source: 'begin(); const more = () => { frame(); setImmediate(more); }; more();',
      names: ['ffmpeg'],
    },
    {
      about: 'ends within a picture',
      source: "begin(); frame(); process.stdout.write('FRAME\\nabc'); end();",
      names: ['ffmpeg'],
    },
    {
      about: 'has no header',
      source: "process.stdout.write('RIFF' + 'x'.repeat(99) + '\\n'); end();",
      names: ['ffmpeg'],
    },
    { about: 'fails', source: 'process.exit(9);', names: ['ffmpeg', 'code 9'] },
    {
      about: 'crashes',
      source: "begin(); process.kill(process.pid, 'SIGSEGV');",
      names: ['ffmpeg', 'SIGSEGV'],
    },
    {
      about: 'complains',
      source: "say('[error] lost \\u001b]0;title\\u0007 block'); process.exit(1);",
      names: ['ffmpeg says', 'lost'],
    },
    {
      about: 'counts without end',
      source: 'let n = 0; setInterval(() => shown(n++), 5);',
      names: ['ffmpeg', 'did not come'],
    },
    {
      about: 'talks, and decodes',
      source: `for (let k = 0; k < 3000; k++) say('[info] ${'note '.repeat(20)}'); ${WHOLE}`,
    },
  ];
  return random.pick(programs);
}

/** Code that starts a child process which never ends and keeps its parent's output pipes open. */
const CHILD = `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
child.unref();
pids.push(child.pid);`;

/** Writes a fake `ffmpeg`, in JavaScript, into a folder. Its frames of track N, from 1, have luma 40 N everywhere. */
function install(folder: string, { source = WHOLE, version = 'process.exit(0);' }: Program, forks: boolean): void {
  const text = `#!${process.execPath}
const { spawn } = require('node:child_process');
const args = process.argv.slice(2);
const stays = () => setInterval(() => {}, 1000);
const end = () => { process.exitCode = 0; };
const say = (line) => process.stderr.write(line + '\\n');
const shown = (n) => say('[Parsed_showinfo_0 @ 0x1] [info] n:  ' + n + ' pts: 1 pts_time:' + n / 25 + ' pos: 1');
const begin = (w = ${HOLLOW.width}, h = ${HOLLOW.height}) =>
  process.stdout.write('YUV4MPEG2 W' + w + ' H' + h + ' F25:1 Ip A1:1 C420mpeg2\\n');
const track = Number(args[args.indexOf('-map') + 1]?.split(':')[2]) + 1;
const [, first, last] = (/between\\(n\\\\,(\\d+)\\\\,(\\d+)\\)/.exec(args.join(' ')) ?? []).map(Number);
const bytes = Buffer.concat([Buffer.from('FRAME\\n'), Buffer.alloc(${HOLLOW.width * HOLLOW.height}, 40 * track), Buffer.alloc(${(HOLLOW.width * HOLLOW.height) / 2}, 128)]);
const frame = () => process.stdout.write(bytes);
const pids = [process.pid];
${forks ? CHILD : ''}
require('node:fs').writeFileSync('${folder}/pids-' + process.pid, pids.join(' '));
if (args[0] === '-version') { ${version} } else { ${source} }
`;
  writeFileSync(join(folder, 'ffmpeg'), text);
  chmodSync(join(folder, 'ffmpeg'), 0o755);
}

const READER = fileURLToPath(new URL('../write/reads-film.js', import.meta.url));

async function cameOfReading(
  film: Uint8Array,
  tracks: readonly HollowTrack[],
  track: number | undefined,
  program: Program,
  forks: boolean,
): Promise<CaseOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-'));
  try {
    const path = join(folder, 'film.webm');
    writeFileSync(path, film);
    mkdirSync(join(folder, 'bin'));
    install(join(folder, 'bin'), program, forks);
    const { out, err, code } = await nodeEnded([READER, path, String(track ?? ''), String(TIMEOUT)], {
      env: { ...process.env, PATH: join(folder, 'bin') },
    });
    const left = await leftOver(join(folder, 'bin'));
    if (left.length > 0) return { what: 'broke', message: `processes are left: ${left.join(', ')}` };
    if (code !== 0 || err !== '') return { what: 'broke', message: `exit code ${code}: ${err}` };
    const said = JSON.parse(out);
    if (said.refused !== undefined) {
      // Line breaks are no part of a sentence either.
      const control = /\p{Cc}/u.exec(said.refused);
      if (control || !said.isMeant) return { what: 'broke', message: `no sentence: ${said.refused}` };
      return { what: 'refused', message: said.refused };
    }
    const expected = tracks[said.track.number - 1];
    const isSame =
      said.track.of === tracks.length &&
      (track === undefined || said.track.number === track) &&
      said.count === expected.frames &&
      Math.abs(said.frameRate / expected.frameRate - 1) < 0.01 &&
      Math.abs(said.grey - (40 * said.track.number - 16) / 219) < 0.01;
    return { what: 'accepted', isSame };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Process ids of the fake `ffmpeg` and its children that are still running after a while. */
async function leftOver(folder: string): Promise<number[]> {
  const files = execFileSync('/bin/ls', [folder], { encoding: 'utf8' }).split('\n');
  const pids = files
    .filter((name) => name.startsWith('pids-'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(' ').map(Number));
  const isThere = (pid: number): boolean => {
    const file = `/proc/${pid}/stat`;
    // What nobody has waited for yet has ended.
    return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'));
  };
  for (let tries = 0; tries < 100 && pids.some(isThere); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return pids.filter(isThere);
}
