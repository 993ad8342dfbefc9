import { Worker } from 'node:worker_threads';
import type { Device, Executor } from '@gradsim/kernel/device';
import { javascriptSource } from '@gradsim/kernel/device';

// A device as an outsider would write one: single precision, in a worker that processes a list of messages.

const WORKER = `
const { parentPort } = require('node:worker_threads');
const executors = new Map();
const calls = {
  create: (id, spec) => executors.set(id, {
    F: new Float32Array(spec.f32Words),
    U: new Uint32Array(spec.u32Words),
    width: spec.width,
    programs: spec.programs.map((kernels) => kernels.map(({ source, invocations }) => ({
      call: new Function('F', 'U', 'R', 'begin', 'end', source), invocations,
    }))),
  }),
  run: (id, program, rows, only) => {
    const { F, U, width, programs } = executors.get(id);
    for (let at = 0; at < rows.length; at += width)
      programs[program].forEach(({ call, invocations }, k) => {
        if (only === undefined || only === k) call(F, U, rows.subarray(at, at + width), 0, invocations);
      });
  },
  copy: (id, arena, to, from, words) => executors.get(id)[arena].copyWithin(to, from, from + words),
  clear: (id, arena, from, words) => executors.get(id)[arena].fill(0, from, from + words),
  write: (id, arena, at, values) => executors.get(id)[arena].set(values, at),
  read: (id, arena, from, words, question) =>
    parentPort.postMessage({ question, words: executors.get(id)[arena].slice(from, from + words) }),
  dispose: (id) => executors.delete(id),
};
parentPort.on('message', ([name, ...args]) => calls[name](...args));
`;

const ARENAS = { f32: 'F', u32: 'U' } as const;

export function workerDevice(): Device {
  const worker = new Worker(WORKER, { eval: true });
  const answers = new Map<number, (words: Float32Array & Uint32Array) => void>();
  worker.on('message', ({ question, words }) => {
    answers.get(question)!(words);
    answers.delete(question);
  });
  let [executors, questions] = [0, 0];
  const tell = (...message: unknown[]): void => worker.postMessage(message);
  return {
    kind: 'worker',
    description: 'JavaScript of single precision in a worker',
    precision: 'f32',
    isDeferred: true,
    async createExecutor({ f32Words, u32Words, registers, programs }): Promise<Executor> {
      const id = executors++;
      const sources = programs.map(({ kernels }) =>
        kernels.map((kernel) => ({ source: javascriptSource(kernel), invocations: kernel.invocations })),
      );
      tell('create', id, { f32Words, u32Words, width: registers.length, programs: sources });
      const read = (arena: 'F' | 'U', from: number, words: number) =>
        new Promise<Float32Array & Uint32Array>((resolve) => {
          answers.set(questions, resolve);
          tell('read', id, arena, from, words, questions++);
        });
      return {
        run: (program, rows, only) => tell('run', id, program, rows, only),
        copy: (arena, to, from, words) => tell('copy', id, ARENAS[arena], to, from, words),
        clear: (arena, from, words) => tell('clear', id, ARENAS[arena], from, words),
        writeF32: (at, values) => tell('write', id, 'F', at, Float32Array.from(values)),
        writeU32: (at, values) => tell('write', id, 'U', at, values),
        readF32: (from, words) => read('F', from, words),
        readU32: (from, words) => read('U', from, words),
        dispose: () => tell('dispose', id),
      };
    },
    dispose: () => void worker.terminate(),
  };
}
