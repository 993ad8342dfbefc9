// Whether the judge of random programs catches what it is there for: each break of `@gradsim/random-programs`, alone, in
// a copy of the core, with how many programs it took (`--count` at most, default 2000) and what caught it. `--only TEXT`
// takes those whose file or text has it, `--skip N` leaves the first out; `--table` prints the list in Markdown at the end.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Break } from '@gradsim/random-programs';
import { BREAKS } from '@gradsim/random-programs';
import { rolldown } from 'rolldown';
import { print, wholeNumber } from './support/options.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    skip: { type: 'string', default: '0' },
    table: { type: 'boolean', default: false },
  },
});

const here = fileURLToPath(new URL('.', import.meta.url));
const programs = join(here, '../../random-programs/src/until-wrong.ts');

/** One file of programs, judge and core, with the core broken. */
async function bundle({ file, from, to }: Break, folder: string): Promise<string> {
  let isBroken = false;
  const built = await rolldown({
    input: programs,
    platform: 'node',
    resolve: { conditionNames: ['@gradsim/source', 'import', 'node'] },
    external: ['webgpu'],
    plugins: [
      {
        name: 'break',
        transform(code, id) {
          if (!id.replaceAll('\\', '/').endsWith(`packages/${file}`)) return null;
          isBroken = code.includes(from);
          return code.replace(from, () => to);
        },
      },
    ],
  });
  const path = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await built.write({ file: path, format: 'esm', codeSplitting: false });
  await built.close();
  if (!isBroken) throw new Error(`${file} has no longer what a break replaces: ${from}`);
  return path;
}

interface Caught {
  readonly programs: number;
  readonly finding?: string;
  readonly detail?: string;
}

/** How long a few programs may take, on a machine that has other things to do. */
const PATIENCE = 300_000;

/** Runs programs until one is wrong. A break that hangs or ends the process is caught too. */
function run(path: string): Promise<Caught> {
  const child = spawn(process.execPath, [path, values.seed, values.count], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let last: Caught = { programs: 0 };
  const limit = setTimeout(() => child.kill(), PATIENCE);
  createInterface(child.stdout).on('line', (line) => {
    last = JSON.parse(line) as Caught;
    limit.refresh();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve(code === 0 ? last : { ...last, finding: 'refused', detail: 'the process ended' });
    });
  });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const rows: { broken: Break; caught: Caught }[] = [];
const folder = await mkdtemp(join(tmpdir(), 'gradsim-breaks-'));
const chosen = BREAKS.filter(({ file, from }) => `${file} ${from}`.includes(values.only));
for (const broken of chosen.slice(wholeNumber('skip', values.skip, 0))) {
  const caught = await run(await bundle(broken, folder));
  rows.push({ broken, caught });
  print({ bench: 'breaks', ...broken, ...caught });
}
await rm(folder, { recursive: true });
const missed = rows.filter(({ caught }) => !caught.finding);
print({
  bench: 'breaks',
  seed: Number(values.seed),
  breaks: rows.length,
  caught: rows.length - missed.length,
  share: (rows.length - missed.length) / rows.length,
  programsAtMost: Number(values.count),
});
if (values.table) {
  const cell = (text: string): string => `\`${oneLine(text).replaceAll('|', '\\|')}\``;
  const lines = rows.map(({ broken, caught }) => {
    const by = caught.finding ? `${caught.finding}, ${caught.programs}` : 'not caught';
    return `| ${broken.file} | ${cell(broken.from)} | ${broken.to.trim() ? cell(broken.to) : 'nothing'} | ${by} |`;
  });
  console.log(
    ['| File | What stands there | Broken | Caught by, after programs |', '| --- | --- | --- | --- |', ...lines].join(
      '\n',
    ),
  );
}
