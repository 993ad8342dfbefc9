import { hostFunctionsText } from '../../emit/wasm/host-functions.ts';

/** Word offsets of the block that the caller and its workers share. */
export const WORD_OFFSETS = {
  signals: 0,
  mail: 1,
  runs: 2,
  executor: 3,
  program: 4,
  table: 5,
  rows: 6,
  phase: 7,
} as const;
/** Word offset of the per-thread counters of processed messages, one word each, in the same block. */
export const TAKEN_COUNTERS = 16;

/**
 * Number of polls (a few tenths of a millisecond) without a new program after which a worker sleeps. On a busy machine
 * a sleeping worker wakes on its caller's core, and moves to a core of its own only later.
 */
const MAX_POLLS = 200_000;

/**
 * Source of a worker. A string, so that it needs no file of its own, which bundlers would have to find; it instantiates
 * the modules sent to it, then alternates between waiting for programs and for messages.
 */
const source = (): string => `
const host = ${hostFunctionsText()};
const executors = new Map();
let words, thread, mail = 0, runs = 0;
function serve() {
  for (;;) {
    const signals = Atomics.load(words, ${WORD_OFFSETS.signals});
    if (Atomics.load(words, ${WORD_OFFSETS.mail}) !== mail) return;
    const now = Atomics.load(words, ${WORD_OFFSETS.runs});
    if (now !== runs && now % 2 === 0) {
      runs = now;
      const [executor, program, table, rows, phase] = words.slice(${WORD_OFFSETS.executor}, ${WORD_OFFSETS.phase} + 1);
      // Too late: the caller has moved on to the next program.
      if (Atomics.load(words, ${WORD_OFFSETS.runs}) !== now) continue;
      executors.get(executor)?.['team' + program](table, rows, phase, thread, 0);
      continue;
    }
    let looks = 0;
    while (looks < ${MAX_POLLS} && Atomics.load(words, ${WORD_OFFSETS.signals}) === signals) looks++;
    if (looks === ${MAX_POLLS}) Atomics.wait(words, ${WORD_OFFSETS.signals}, signals);
  }
}
listen((message) => {
  mail++;
  if (message.words) ({ words, thread } = message);
  else if (message.module) {
    const { memory, arrays } = message;
    const { exports } = new WebAssembly.Instance(message.module, { env: { memory, arrays }, host });
    executors.set(message.executor, exports);
  } else executors.delete(message.executor);
  Atomics.store(words, ${TAKEN_COUNTERS} + thread, mail);
  port.postMessage(mail);
  serve();
});`;
const NODE_HEAD = `const port = process.getBuiltinModule('node:worker_threads').parentPort;
const listen = (act) => port.on('message', act);`;
const PAGE_HEAD = `const port = self;
const listen = (act) => { self.onmessage = (event) => act(event.data); };`;

/** Source of a page's worker. The build also writes it to a file: \`worker.js\` beside this one. */
export const pageSource = (): string => `${PAGE_HEAD}\n${source()}`;

/** Source of a worker thread of Node. */
export const nodeSource = (): string => `${NODE_HEAD}\n${source()}`;

type NodeModules = {
  getBuiltinModule?(name: 'node:worker_threads'): typeof import('node:worker_threads');
  getBuiltinModule?(name: 'node:os'): typeof import('node:os');
};
export const nodeModules = (globalThis as { process?: NodeModules }).process;

/**
 * Returns the number of threads that can run at once; if that is 1 for want of shared memory or workers, also the
 * reason.
 */
export function availableThreads(): { readonly count: number; readonly refusal: string | null } {
  const os = nodeModules?.getBuiltinModule?.('node:os');
  if (os) return { count: os.availableParallelism(), refusal: null };
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated;
  if (isolated !== true) return { count: 1, refusal: 'the page is not cross-origin isolated' };
  if (typeof Worker === 'undefined') return { count: 1, refusal: 'there are no workers here' };
  return { count: globalThis.navigator?.hardwareConcurrency ?? 1, refusal: null };
}
