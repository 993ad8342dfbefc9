// A GPU, measured by one command: `npm run gpu`. Stages of at most three minutes, the paper's rates first: soft bodies,
// tests, random programs and references, pictures, contact, control, worlds, a page. Each is kept in out/gpu, and one that
// is there of the same revision is not run again, so that what was ended goes on; `--again yes` runs all. `--stages
// soft-body,worlds` runs some; `--seconds 180` is the time of each. A hardware GPU's figures go to docs/lab/gpu.md; with
// `--software yes` a software adapter is taken, as a rehearsal, and figures go to out/gpu/gpu.md. The references of
// `--references ../shared/reference` are run where they are there.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listDevices } from '@gradsim/core';
import { runStage, type StageResult } from './gpu/run-stage.ts';
import { gpuStages } from './gpu/stages.ts';
import { pageOf } from './gpu/table.ts';
import { chosenNames, print } from './support/options.ts';
import { ROOT } from './support/root.ts';

const { values } = parseArgs({
  options: {
    stages: { type: 'string', default: '' },
    seconds: { type: 'string', default: '180' },
    again: { type: 'string', default: 'no' },
    software: { type: 'string', default: 'no' },
    references: { type: 'string', default: '../shared/reference' },
  },
});
const gpu = (await listDevices()).find(({ name }) => name === 'webgpu')!;
const isRehearsal = values.software === 'yes';
if (!gpu.isAvailable) throw new Error(`There is no WebGPU adapter here: ${gpu.description}`);
if (gpu.isSoftware && !isRehearsal)
  throw new Error(
    `The only WebGPU adapter here is one in software (${gpu.description}). Install the driver of the GPU with its Vulkan part, or rehearse: npm run gpu -- --software yes`,
  );
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error(`--seconds takes a number above 0, not ${values.seconds}.`);

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
/** Commit, and a hash of what was changed since: results of other states are of no use. */
const revision = `${git('rev-parse', 'HEAD')} ${createHash('sha256')
  .update(git('diff', 'HEAD', '--', '.', ':!docs'))
  .digest('hex')
  .slice(0, 8)}`;
const folder = join(ROOT, 'out/gpu');
mkdirSync(folder, { recursive: true });

const all = gpuStages({ references: values.references, chromium: process.env.GRADSIM_CHROMIUM });
const names = chosenNames(
  'stages',
  values.stages,
  all.map(({ name }) => name),
);
const fileOf = (stage: string): string => join(folder, `${stage}.json`);
for (const stage of all.filter(({ name }) => names.includes(name))) {
  const { name, missingReason: missing } = stage;
  if (missing) {
    print({ bench: 'gpu', stage: name, missing });
    continue;
  }
  const kept = values.again === 'yes' ? null : known(name);
  const result = kept ?? (await runStage(stage, seconds, revision));
  if (!kept) writeFileSync(fileOf(name), JSON.stringify(result, null, 2));
  for (const { command, figures, ended, seconds: took } of result.outcomes)
    print({ bench: 'gpu', stage: name, command, ended, seconds: took, figures: figures.length, isKept: kept !== null });
  // After each stage, of all that there is: a loan of a machine may end at any time.
  const results = all.flatMap((each) => known(each.name) ?? []);
  writeFileSync(
    join(ROOT, isRehearsal ? 'out/gpu/gpu.md' : 'docs/lab/gpu.md'),
    pageOf(gpu.description, results, seconds),
  );
}

/** A stage's result of this revision; null if there is none. */
function known(stage: string): StageResult | null {
  if (!existsSync(fileOf(stage))) return null;
  const result: StageResult = JSON.parse(readFileSync(fileOf(stage), 'utf8'));
  return result.revision === revision ? result : null;
}
