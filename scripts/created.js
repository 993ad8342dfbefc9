import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { elsewhere, install, mustSucceed, packInto, run } from './install-packed.js';
import { problemsOfPackage, publishedPackages } from './packages.js';
import { root } from './root.js';
import { startPlugin } from './start-plugin.js';

const name = '@someone/gusts';

/**
 * Starts a plugin outside of the repository as `npm create gradsim-plugin` does, from packed packages, then builds and
 * tests it, estimates with it and packs it. Returns one sentence for each problem. It needs no network.
 */
export async function problemsOfNewPlugin() {
  try {
    return await elsewhere(async (folder) => {
      const plugin = join(folder, 'gusts');
      const tool = join(folder, 'tool');
      mkdirSync(tool);
      startPlugin(tool, name, plugin);
      const manifest = JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8'));
      installPlugin(plugin, manifest);
      for (const script of ['types', 'build', 'test']) mustSucceed(run(plugin, 'npm', ['run', script]));
      const options = ['--device', 'cpu', '--quiet', '--out', 'out'];
      mustSucceed(run(plugin, 'npm', ['run', 'estimate', '--', ...options]));
      return [
        ...problemsOfManifest(manifest),
        ...problemsOfBuild(plugin),
        ...problemsOfEstimate(plugin),
        ...(await problemsOfPackage(plugin)),
      ];
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * What `npm install` does, with packed packages of the workspace, and the tools that it has.
 * @param {string} plugin
 * @param {{ devDependencies: Record<string, string> }} manifest
 */
function installPlugin(plugin, { devDependencies }) {
  const own = new Set(publishedPackages().map((published) => published.name));
  const needs = Object.keys(devDependencies);
  const tools = needs
    .filter((need) => !own.has(need))
    .map((need) => [need, `link:${realpathSync(join(root, 'node_modules', need))}`]);
  const packed = needs.filter((need) => own.has(need));
  install(plugin, { ...packInto(plugin, packed), ...Object.fromEntries(tools) });
}

/** @param {{ peerDependencies: Record<string, string>, devDependencies: Record<string, string> }} manifest */
function problemsOfManifest({ peerDependencies, devDependencies }) {
  const ranges = { ...devDependencies, ...peerDependencies };
  return Object.entries(ranges)
    .filter(([, range]) => !/^\^?\d/.test(range))
    .map(([need, range]) => `The new package.json asks for ${need} "${range}", which is no version.`);
}

/** @param {string} plugin */
function problemsOfBuild(plugin) {
  const code = `import { drag } from '${name}'; console.log(drag().name);`;
  const { stdout, stderr } = run(plugin, process.execPath, ['--input-type=module', '--eval', code]);
  const types = readFileSync(join(plugin, 'dist/index.d.ts'), 'utf8');
  return [
    ...(stdout.trim() === name ? [] : [`The built plugin says its name is "${stdout.trim()}". ${stderr}`]),
    ...(types.includes('drag') ? [] : [`The built types are ${types}`]),
  ];
}

/** @param {string} plugin */
function problemsOfEstimate(plugin) {
  const { stages } = JSON.parse(readFileSync(join(plugin, 'out/result.json'), 'utf8'));
  const { estimate, truth } = stages[0].parameters.drag;
  return Math.abs(estimate / truth - 1) < 1e-4 ? [] : [`The drag was ${truth} N s/m, the estimate ${estimate}.`];
}
