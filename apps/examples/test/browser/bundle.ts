import { join } from 'node:path';
import { build } from 'vite';

/** The page's program as an application's bundler makes it: its files by address, and the modules that went in. */
export interface Bundle {
  readonly entry: string;
  readonly files: ReadonlyMap<string, string>;
  readonly modules: readonly string[];
}

/** Bundles `page.ts` with the packages as they are built and published, not their sources. */
export async function bundlePage(): Promise<Bundle> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      rolldownOptions: { input: join(import.meta.dirname, 'page.ts') },
    },
  });
  const outputs = [result].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
  const files = new Map<string, string>();
  const modules: string[] = [];
  let entry = '';
  for (const output of outputs) {
    if (output.type !== 'chunk') continue;
    files.set(`/${output.fileName}`, output.code);
    modules.push(...output.moduleIds);
    if (output.isEntry) entry = `/${output.fileName}`;
  }
  return { entry, files, modules };
}
