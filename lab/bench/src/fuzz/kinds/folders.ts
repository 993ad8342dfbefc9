import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { wronglyAccepted } from '../kind.ts';
import { DROP } from '../write/drop.ts';
import { controlIn, gradsimsIn, inFolder } from '../write/in-process.ts';
import { EVIL } from '../write/odd-modules.ts';
import { cameOfCommand } from './commands.ts';

/** Output folders: free, in use, left behind by runs that died, holding files of the user, or impossible to create. */
export const folders: Kind = { name: 'folders', limit: 60, draw };

const EXPERIMENT = `${DROP}
export default { name: 'drop', description: 'A drop.', stages: () => [{ name: 'fall', problem }] };`;

/** State of an output folder before a run, and the expected outcome. */
interface Place {
  readonly about: string;
  readonly make?: (folder: string) => void;
  readonly force?: boolean;
  readonly out?: string;
  /** Words that the refusal must contain; undefined if the run must succeed. */
  readonly names?: readonly string[];
  /** Words that a run that succeeds must print. */
  readonly said?: string;
  /** Content by name of files that the run must not change. */
  readonly own?: Readonly<Record<string, string>>;
  /** Number of simultaneous runs, exactly one of which must succeed. */
  readonly runs?: number;
}

async function draw(random: Draw): Promise<Case> {
  const place = drawnPlace(random);
  return {
    about: `${place.about}${place.force ? ', with --force' : ''}`,
    expected: place.names ? 'refused' : 'valid',
    names: place.names,
    read: () => outcomeOfRun(place),
  };
}

const lockClaim = (of: object): string =>
  `\n${JSON.stringify({ claim: 'one', pid: 1, host: hostname(), started: '', since: '2026-01-01T00:00:00.000Z', ...of })}\n`;
/** Draws an id that no process has: Linux gives none above 4194304. */
const unusedPid = (random: Draw): number => random.whole(5e6, 2 ** 31 - 1);

function drawnPlace(random: Draw): Place {
  const force = random.chance(0.5);
  const write =
    (files: Readonly<Record<string, string>>) =>
    (folder: string): void => {
      mkdirSync(folder, { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    };
  const left = { 'run.json': '{\n  "format": 1, "request"', 'run.journal': 'gradsim journal 1\n' };
  const results = {
    'result.json': '{\n  "experiment": "old", "stages": []}',
    'report.html': '<!doctype html><meta name="generator" content="gradsim">old',
  };
  const own = { 'notes.txt': 'mine', 'frames-x.png': 'mine', 'old-report.html': 'mine' };
  const ways: (() => Place)[] = [
    () => ({ about: 'a folder that is not there', force }),
    () => ({ about: 'an empty folder', make: write({}), force }),
    () => ({ about: 'a folder with drafts', make: write({ '.gradsim-draft-result.json': '{' }), force }),
    () => {
      const pid = unusedPid(random);
      return {
        about: `a lock of process ${pid}, which is not there`,
        force,
        make: write({ 'run.lock': lockClaim({ pid }) }),
        said: `process ${pid}`,
      };
    },
    () => ({
      about: 'a lock of a process whose id is now that of another',
      force,
      make: write({ 'run.lock': lockClaim({ pid: process.ppid, started: 'another start 7' }) }),
      said: 'taken over',
    }),
    () => ({
      about: 'a lock of a process that lives',
      force,
      make: write({ 'run.lock': lockClaim({ pid: process.ppid }) }),
      names: [`process ${process.ppid}`, 'in use'],
    }),
    () => ({
      about: 'a lock of another machine',
      force,
      make: write({ 'run.lock': lockClaim({ pid: 3, host: 'elsewhere' }) }),
      names: ['elsewhere', 'run.lock'],
    }),
    () => {
      const text = random.pick([
        'x',
        '{"pid": 3}',
        '[]',
        '\0\0\0',
        '3\n4',
        '{"claim": 3, "pid": 1}',
        '\u001b[2J',
        '{'.repeat(1e4),
      ]);
      return {
        about: `a lock that is ${JSON.stringify(text.slice(0, 20))}`,
        force,
        make: write({ 'run.lock': text }),
        names: ['run.lock'],
        own: { 'run.lock': text },
      };
    },
    () => {
      const pid = unusedPid(random);
      const torn = random.pick(['{"claim": "th', '\0\0\0\0', '{"claim": "a", "pid": -3}', 'null']);
      return {
        about: `a damaged line ${JSON.stringify(torn)} in a lock`,
        force,
        make: write({ 'run.lock': `${lockClaim({ pid })}${torn}` }),
        said: `process ${pid}`,
      };
    },
    () => ({
      about: 'results of an earlier run',
      make: write({ ...results, ...own }),
      own,
      ...(force ? { force } : { names: ['out'] }),
    }),
    () => ({
      about: 'a run that died',
      make: write({ ...left, ...own, 'run.lock': lockClaim({ pid: unusedPid(random) }) }),
      own,
      ...(force ? { force, said: 'taken over' } : { names: ['out'] }),
    }),
    () => {
      const name = random.pick([
        'result.json',
        'report.html',
        'run.json',
        'run.journal',
        'frames-1.png',
        'frames-12.png',
      ]);
      const text = random.pick(['mine', '{"mine": 1}', '', '<html>', '\u0089PNG']);
      return {
        about: `a ${name} of the owner's, ${JSON.stringify(text)}`,
        force,
        make: write({ [name]: text, ...own }),
        own: { [name]: text, ...own },
        names: force ? [name] : ['out'],
      };
    },
    () => {
      const name = random.pick(['result.json', 'run.json', 'run.journal', 'run.lock']);
      return {
        about: `a folder named ${name}`,
        force: true,
        names: [name],
        make: (folder) => mkdirSync(join(folder, name), { recursive: true }),
      };
    },
    () => ({ about: 'a file', out: 'good.mjs', force, names: ['good.mjs'] }),
    () => ({ about: 'a folder below a file', out: 'good.mjs/a/b', force, names: ['good.mjs'] }),
    () => ({
      about: 'a folder where none is made',
      out: `/proc/${random.pick(['x', 'self/x', '1/x/y'])}`,
      force,
      names: ['/proc/'],
    }),
    () => ({
      about: 'a link in a circle',
      force,
      names: ['out'],
      make: (folder) => symlinkSync(folder, folder),
    }),
    () => {
      const name = `a ${random.pick(EVIL.filter((each) => !each.includes('\0') && !each.includes('..')))} b`;
      const isLong = Buffer.byteLength(name) > 200;
      return {
        about: `a folder called ${JSON.stringify(name.slice(0, 20))}`,
        out: name,
        force,
        ...(isLong ? { names: ['bytes'] } : {}),
      };
    },
    () => ({ about: 'runs at once, to one folder', runs: random.whole(2, 4) }),
    () => ({
      about: 'runs at once, one after a run that died',
      runs: 2,
      force: true,
      make: write({ ...left, 'run.lock': lockClaim({ pid: unusedPid(random) }) }),
    }),
  ];
  return random.pick(ways)();
}

function outcomeOfRun({ make, force, out = 'out', names, said, own = {}, runs = 1 }: Place): Promise<CaseOutcome> {
  return inFolder({ 'good.mjs': EXPERIMENT }, async (folder) => {
    make?.(join(folder, out));
    const before = filesLeftIn(join(folder, out));
    const args = ['estimate', './good.mjs', '--device', 'f64', '--quiet', '--out', out, ...(force ? ['--force'] : [])];
    const all = await gradsimsIn(folder, Array<string[]>(runs).fill(args));
    const found = all.map((ended) => ({ ended, came: cameOfCommand({ args: [], files: {}, names }, ended) }));
    const wrong = all.map(controlIn).find((each) => each !== undefined);
    if (wrong !== undefined) return wronglyAccepted(`${wrong}`);
    for (const [name, text] of Object.entries(own))
      if (readFileSync(join(folder, out, name), 'utf8') !== text)
        return wronglyAccepted(`${name} of the owner's is another`);
    const broken = found.find(({ came }) => came.what === 'broke');
    if (broken) return broken.came;
    const accepted = found.filter(({ came }) => came.what === 'accepted');
    // With --force, one after another may go through.
    if (runs > 1 && (accepted.length < 1 || (!force && accepted.length > 1)))
      return wronglyAccepted(`${accepted.length} of ${runs} runs at once went through`);
    if (accepted.length === 0) {
      const after = filesLeftIn(join(folder, out));
      return after.join() === before.join() ? found[0].came : wronglyAccepted(`a refused run left ${after.join(', ')}`);
    }
    if (said !== undefined && !all.some(({ err }) => err.includes(said)))
      return wronglyAccepted(`"${said}" is not said: ${all[0].err}`);
    const isSame =
      filesLeftIn(join(folder, out)).join() === [...Object.keys(own), 'report.html', 'result.json'].sort().join();
    return { what: 'accepted', isSame };
  });
}

/** Sorted names of the files in a folder; `no folder` if it does not exist. */
function filesLeftIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder).sort() : ['no folder'];
  } catch {
    return ['no folder'];
  }
}
