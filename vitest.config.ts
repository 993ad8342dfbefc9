import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './scripts/root.js';
import { offerSoftwareVulkan } from './scripts/vulkan.js';

/** Imports between packages resolve to their TypeScript source, so tests need no build. */
const source = '@gradsim/source';
const fromSource = {
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
};

/**
 * Files with a process each: they change the process that they run in (its working directory, environment, listeners, spies,
 * mocks of modules), or load modules that stay.
 */
const alone = [
  'lab/conv-net/test/*.test.ts',
  'packages/gradsim/test/commands/{devices,doctor,estimate,interrupt,new,resume,together}.test.ts',
  'packages/gradsim/test/experiment/modules.test.ts',
  'packages/gradsim/test/queue/*.test.ts',
  'packages/gradsim/test/run/{lock,request}.test.ts',
  'packages/gradsim/test/study/*.test.ts',
  'packages/gradsim/test/terminal/{as-process,interrupt}.test.ts',
  'packages/kernel/test/{copies-and-options,dispose,loop-adjoint,memory,module-files,readme}.test.ts',
  'packages/video/test/{advice,damage,node/ffmpeg,node/missing-decoder}.test.ts',
  'scripts/test/**/*.test.ts',
];

const slow: Record<string, Record<string, number>> = JSON.parse(readFileSync('scripts/vitest/turns.json', 'utf8'));

/** Sum of the seconds of a file's slow tests (scripts/vitest/turns.ts). */
const secondsOf = ({ moduleId }: TestSpecification): number =>
  Object.values(slow[relative(root, moduleId).replaceAll('\\', '/')] ?? {}).reduce((sum, seconds) => sum + seconds, 0);

/** Begins with the files of the slowest tests. Vitest begins with the largest: one of those would run alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => secondsOf(b) - secondsOf(a));
    // Files of a project stay together: they share processes.
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) => sorted.filter((file) => file.project === project));
  }
}

/** The same, with packages that are packed and installed once a run. */
const page = ['lab/page/test/**/*.test.ts'];

/**
 * Less work for the garbage collector (an eighth of the processor time of tests that make many objects), and for the
 * optimising compiler, which takes a function only after five times as much work in it as by default: tests that compile
 * many models spend an eighth to a quarter less, since much of what it made was hardly used.
 */
const execArgv = ['--max-semi-space-size=64', '--interrupt-budget=660000'];

/** Limit of a test, ms: hours where `bench -- nightly` draws by the thousand. */
const limit = process.env.GRADSIM_NIGHTLY ? 36_000_000 : 900_000;

const options = {
  // All tests of a file may be slow ones, none of which is among those of this commit (scripts/vitest/turns.ts).
  passWithNoTests: true,
  environment: 'node',
  pool: 'forks' as const,
  execArgv,
  runner: './scripts/vitest/turns.ts',
  setupFiles: [
    'scripts/vitest/repeatable-random.ts',
    'scripts/vitest/slow-polls.js',
    'scripts/vitest/to-throw-code.ts',
  ],
  // Ends what hangs. Far above what any test takes on an idle machine, since others may keep it busy; a test has a limit
  // of its own only where that tells linear time from quadratic.
  testTimeout: limit,
  hookTimeout: limit,
};

// Before the test processes start, which inherit it: WebGPU tests run wherever Chromium is installed.
offerSoftwareVulkan();

export default defineConfig({
  test: {
    // Two more than there are cores: tests wait for browsers, decoders and workers. With one more, 17.5 minutes of processor
    // took 11.1 on two cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowFirst },
    // What was compiled from a source serves all projects, and later runs, while the source stays the same: a fifth less
    // processor time of files with a process each, on a first run too.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.gradsim/modules' },
    projects: [
      { ...fromSource, test: { ...options, name: 'alone', include: alone } },
      {
        ...fromSource,
        test: { ...options, name: 'page', include: page, globalSetup: 'lab/page/test/support/install.ts' },
      },
      // One process a worker, in which the sources are loaded and compiled once: a second of CPU time less a file.
      {
        ...fromSource,
        test: {
          ...options,
          name: 'together',
          include: ['{packages,apps,lab}/*/test/**/*.test.ts'],
          exclude: [...alone, ...page],
          isolate: false,
        },
      },
    ],
  },
});
