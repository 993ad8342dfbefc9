type NodeModules = {
  getBuiltinModule?(name: 'node:worker_threads'): typeof import('node:worker_threads');
};

/** The module `node:worker_threads`; undefined in a page. */
export const workerThreads = (): typeof import('node:worker_threads') | undefined =>
  (globalThis as { process?: NodeModules }).process?.getBuiltinModule?.('node:worker_threads');
