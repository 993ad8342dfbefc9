import { GradsimError } from '@gradsim/core';
import type { MakeProblem } from './make-problem.ts';
import type { Order, Report } from './messages.ts';
import { tagged, untagged } from './messages.ts';
import { workerThreads } from './node-threads.ts';
import { Work } from './work.ts';

/** Functions passed to `defineProblem` in this worker. */
const defined: MakeProblem[] = [];

/**
 * Makes a module the entry of an estimation in a worker; returns the function unchanged, so that importers can call it.
 * In a worker it waits for messages of {@link estimateInWorker}. A worker can have only one problem.
 *
 * ```ts
 * // problem.js
 * import { buildModel, createScene } from '@gradsim/core';
 * import { defineProblem } from '@gradsim/optim';
 * import { Particle, particles } from '@gradsim/particles';
 *
 * export default defineProblem<{ target: Float64Array }>(({ settings: { target } }) => {
 *   const scene = createScene([particles()]);
 *   scene.add(Particle, { mass: 0.1, position: [0, 1, 0] });
 *   return {
 *     model: buildModel(scene),
 *     frames: 10, frameRate: 30, substeps: 4,
 *     parameters: [{ name: 'vx', field: Particle.velocity, component: 0, initial: 0 }],
 *     observations: [{ field: Particle.position, target }],
 *   };
 * });
 * ```
 */
export function defineProblem<Settings = unknown>(make: MakeProblem<Settings>): MakeProblem<Settings> {
  const port = workerPort();
  if (port && defined.push(make as MakeProblem) === 1) serve(port);
  return make;
}

/** Message port to the thread that started this worker. */
interface Port {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  listen(take: (message: unknown) => void): void;
  close(): void;
}

/** Returns the port to the thread that started this worker; undefined outside of a worker. */
function workerPort(): Port | undefined {
  const parent = workerThreads()?.parentPort;
  if (parent)
    return {
      post: (message, transfer) => parent.postMessage(message, transfer),
      listen: (take) => void parent.on('message', take),
      close: () => parent.close(),
    };
  const scope = globalThis as {
    WorkerGlobalScope?: unknown;
    postMessage?: (message: unknown, transfer: readonly ArrayBuffer[]) => void;
    close?: () => void;
    addEventListener?: (type: 'message', take: (event: { readonly data: unknown }) => void) => void;
  };
  if (scope.WorkerGlobalScope === undefined || !scope.postMessage || !scope.addEventListener) return undefined;
  return {
    post: (message, transfer) => scope.postMessage!(message, transfer),
    listen: (take) => scope.addEventListener!('message', ({ data }) => take(data)),
    close: () => scope.close!(),
  };
}

function serve(port: Port): void {
  const post = (report: Report, transfer: readonly ArrayBuffer[] = []): void => port.post(tagged(report), transfer);
  const work = new Work(post);
  port.listen((message) => {
    const order = untagged(message) as Order | undefined;
    if (order?.kind === 'run') work.run(order.task, definedProblem);
    else if (order) void work.end().then(() => port.close());
  });
  post({ kind: 'ready' });
}

/** Returns the problem defined in this worker. @throws if none or several were defined. */
function definedProblem(): MakeProblem {
  if (defined.length > 1)
    throw new GradsimError(
      'optim/two-problems',
      `The worker's module and what it imports call \`defineProblem\` ${defined.length} times: a worker has one problem. What several modules share is to be a function by itself.`,
    );
  return defined[0];
}
