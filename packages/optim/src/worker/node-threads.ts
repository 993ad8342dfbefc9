type NodeModules = {
  getBuiltinModule?(name: 'node:worker_threads'): typeof import('node:worker_threads');
};

/** Worker threads of Node; undefined in a page. */
export const workerThreads = (): typeof import('node:worker_threads') | undefined =>
  (globalThis as { process?: NodeModules }).process?.getBuiltinModule?.('node:worker_threads');
