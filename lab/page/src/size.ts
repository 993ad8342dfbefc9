import { relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Size of a page's script. */
export interface PageSize {
  /**
   * Compressed size, bytes, of the files that the page loads at its start; modules imported later on demand do not
   * count.
   */
  readonly gzip: number;
  /**
   * `gzip` plus the compressed size of the code of the device `cpu`, which a page without a GPU loads with its first
   * model; bytes.
   */
  readonly gzipOnCpu: number;
  /** Minified, uncompressed size, bytes, of the files that the page loads at its start. */
  readonly minified: number;
  /** Number of files that the page loads at its start. */
  readonly files: number;
  /** Minified size by package folder, bytes, the largest first. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Bundles the smallest page with one rigid body by esbuild, and measures its script.
 *
 * @param core module from which the page imports the exports of core, such as `gradsim/core`.
 * @param rigid module from which the page imports the exports for rigid bodies.
 */
export async function sizeOfPage(core: string, rigid: string): Promise<PageSize> {
  const contents = `
    import { buildModel, createScene, createSimulation, selectDevice } from '${core}';
    import { Body, rigid } from '${rigid}';
    const scene = createScene([rigid()]);
    scene.add(Body, { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], position: [0, 2, 0] });
    const options = { device: await selectDevice('auto'), frames: 30, frameRate: 30, substeps: 8, outputs: [Body.position] };
    const simulation = await createSimulation(buildModel(scene), options);
    simulation.forward();
    document.title = String(await simulation.read(Body.position));`;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  /** Returns an output file and all files that it imports statically, directly or indirectly. */
  const withImports = (first: string): Set<string> => {
    const names = new Set([first]);
    for (const name of names)
      for (const { path, kind } of metafile.outputs[name]!.imports) if (kind === 'import-statement') names.add(path);
    return names;
  };
  const names = withImports('out/stdin.js');
  const cpu = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('/cpu/executor.js'));
  if (!cpu) throw new Error('The code of the device cpu is in no file of its own.');
  const compressed = (files: ReadonlySet<string>): number =>
    outputFiles
      .filter(({ path }) => files.has(relative(process.cwd(), path)))
      .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
  const scripts = outputFiles.filter(({ path }) => names.has(relative(process.cwd(), path)));
  const parts = new Map<string, number>();
  for (const name of names)
    for (const [input, { bytesInOutput }] of Object.entries(metafile.outputs[name]!.inputs))
      parts.set(partOf(input), (parts.get(partOf(input)) ?? 0) + bytesInOutput);
  return {
    gzip: compressed(names),
    gzipOnCpu: compressed(new Set([...names, ...withImports(cpu[0])])),
    minified: scripts.reduce((sum, { contents }) => sum + contents.length, 0),
    files: scripts.length,
    parts: Object.fromEntries([...parts].filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a)),
  };
}

/** Returns the package folder that a bundled file belongs to, such as `core/tape` or `bitecs`. */
function partOf(input: string): string {
  const path = input.match(/.*(?:packages|node_modules)\/(.*)\/[^/]*$/)?.[1];
  return path?.replace(/\/dist\b/, '') ?? 'page';
}
