// How large a page's script is that drops one body: what it does not use of the package gradsim is left out.
import { relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

/** Bytes of a page that steps one body, minified and compressed, with imports from these. */
async function bytesOfPage(core: string, rigid: string): Promise<number> {
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
  // What the page loads at once: not what is imported when it is first needed.
  const files = new Set(['out/stdin.js']);
  for (const file of files)
    for (const { path, kind } of metafile.outputs[file].imports) if (kind === 'import-statement') files.add(path);
  return outputFiles
    .filter(({ path }) => files.has(relative(process.cwd(), path)))
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}

it('one body by gradsim/core and gradsim/physics takes within 5 % of the single packages', async () => {
  const single = await bytesOfPage('@gradsim/core', '@gradsim/rigid');
  const all = await bytesOfPage('gradsim/core', 'gradsim/physics');
  const part = await bytesOfPage('gradsim/core', 'gradsim/rigid');
  console.info(JSON.stringify({ single, part, all }));
  expect(part).toBeLessThanOrEqual(1.05 * single);
  expect(all).toBeLessThanOrEqual(1.05 * single);
});
