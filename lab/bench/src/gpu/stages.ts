import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../support/root.ts';

/** A program that a stage runs: a line of output that is JSON is a figure. */
export interface StageProgram {
  /** Command as a person would type it. */
  readonly command: string;
  /** File below the repository's root that Node runs, and its arguments. */
  readonly run: readonly string[];
  /** Columns of its figures in the table: what identifies a row, and what was measured. */
  readonly shows: readonly string[];
}

/** One of the parts in which a GPU is tried: what a person looks at after each, within three minutes. */
export interface Stage {
  readonly name: string;
  readonly title: string;
  readonly programs: readonly StageProgram[];
  /** Why it cannot run here, if so. */
  readonly missingReason?: string;
}

const bench = (command: string, shows: readonly string[]): StageProgram => ({
  command: `npm run -s bench -- ${command}`,
  run: ['scripts/bench.js', ...command.split(' ')],
  shows,
});

/** Test files that use a WebGPU adapter. */
function adapterTests(): string[] {
  const groups = ['packages', 'apps', 'lab'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((name) => `${group}/${name}/test`),
  );
  return groups
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    )
    .filter((file) => /describeWithAdapter|webgpuDevice\(/.test(readFileSync(join(ROOT, file), 'utf8')));
}

const times = ['forwardMs', 'backwardMs'];

/**
 * Stages in the order in which a short loan of a machine is best used: the paper's rates first, then whether it is right,
 * then the rest of what is fast.
 *
 * @param references folder of reference files, which are not part of the repository, from its root.
 */
export function gpuStages({ references, chromium }: { references: string; chromium: string | undefined }): Stage[] {
  const folder = resolve(ROOT, references);
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(folder, name))
    : [];
  const tests = adapterTests();
  return [
    {
      name: 'soft-body',
      title: 'A falling soft block, substeps a second',
      programs: [
        bench('soft-body --device webgpu --sizes 100,1000,10000 --parts physics --runs 20', [
          'tets',
          'forwardHz',
          'backwardHz',
        ]),
        bench('soft-body --device webgpu --sizes 100000 --parts physics --runs 5', ['tets', 'forwardHz', 'backwardHz']),
      ],
    },
    {
      name: 'tests',
      title: 'Tests on WebGPU',
      programs: [
        {
          command: `npx vitest run ${tests.length} files`,
          run: ['lab/bench/dist/gpu/tests.js', ...tests],
          shows: ['passed', 'failed', 'skipped'],
        },
      ],
    },
    {
      name: 'right',
      title: 'References, random programs',
      programs: [
        ...(files.length > 0
          ? [
              {
                command: `npm run -s reference -- --device webgpu ${references}/*.json`,
                run: ['scripts/run.js', 'lab/reference/dist/main.js', '--device', 'webgpu', ...files],
                shows: ['file', 'status', 'error'],
              },
            ]
          : []),
        // In parts, since all of them may take longer than a stage.
        ...[0, 40, 80, 120, 160].map((from) =>
          bench(`programs --from ${from} --count 40 --devices webgpu`, ['from', 'programs', 'wrong', 'undecided']),
        ),
      ],
    },
    {
      name: 'raster',
      title: 'One picture of a sphere, ms',
      programs: [
        bench('raster --device webgpu --runs 20', ['renderer', 'faces', 'size', ...times]),
        bench('raster --device webgpu --runs 10 --textured yes', ['renderer', 'faces', 'size', ...times]),
      ],
    },
    {
      name: 'contact',
      title: 'Mass and material of tosses from film',
      programs: [bench('contact --device webgpu --tosses 2', ['toss', 'shape', 'seconds', 'loss'])],
    },
    {
      name: 'control',
      title: 'A walker trained from one image',
      programs: [
        bench('control --device webgpu --experiments walker --goals image --seeds 1', [
          'experiment',
          'error',
          'secondsPerIteration',
        ]),
      ],
    },
    {
      name: 'worlds',
      title: 'Many tossed boxes as worlds of one run, ms',
      programs: [bench('worlds --device webgpu', ['worlds', 'substeps', 'forwardMs', 'bothMs'])],
    },
    {
      name: 'page',
      title: 'A page with the adapter of the machine, frames a second',
      missingReason: chromium ? undefined : 'There is no Chromium on the PATH.',
      programs: [bench('page --device webgpu --adapter machine', ['scene', 'device', 'framesPerSecond'])],
    },
  ];
}
