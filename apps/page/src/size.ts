import { relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Size of a page's script. */
export interface PageSize {
  /** Compressed bytes of the files that the page loads at once; what is imported when it is first needed is not counted. */
  readonly gzip: number;
  /** `gzip` plus the code of the device `cpu`, which a page without a GPU loads with its first model. */
  readonly gzipOnCpu: number;
  /** Minified, uncompressed bytes of the files that the page loads at once. */
  readonly minified: number;
  /** Files that are loaded at once. */
  readonly files: number;
  /** Minified bytes by folder of a package, the largest first. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Bundles the smallest page with one rigid body by esbuild and measures its script.
 *
 * @param core the module from which it imports what is of core, such as `gradsim/core`.
 * @param rigid the module from which it imports what is of rigid bodies.
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
  /** An output file and all files that it imports statically. */
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

/** Folder of a package that a bundled file is of: `core/tape`, `bitecs`. */
function partOf(input: string): string {
  const path = input.match(/.*(?:packages|node_modules)\/(.*)\/[^/]*$/)?.[1];
  return path?.replace(/\/dist\b/, '') ?? 'page';
}
