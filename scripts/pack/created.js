import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../chromium.js';
import { problemsOfPackage, publishedPackages } from '../packages.js';
import { root } from '../root.js';
import { elsewhere, install, mustSucceed, packInto, run } from './install-packed.js';
import { installCreator, startProject } from './start-project.js';

const name = '@someone/thing';
const QUICKLY = ['--', '--device', 'cpu', '--quiet', '--out', 'out'];

/**
 * What a person does in a new project, by template, and sentences of what is wrong then. A page by Next.js is tested in the
 * nightly run, since it comes from the registry (packages/create-gradsim/test/next.test.ts).
 * @type {Record<string, (folder: string) => string[] | Promise<string[]>>}
 */
const FIRST_HOUR = {
  experiment: (folder) => {
    npm(folder, 'types');
    npm(folder, 'estimate', ...QUICKLY);
    return problemsOfEstimate(folder, 'gravity', -9.81, 2e-2);
  },
  node: (folder) => {
    const guide = readFileSync(join(root, 'docs/guide/start.md'), 'utf8');
    const printed = npm(folder, 'start');
    const said = /^position after[\s\S]*?(?=```)/m.exec(guide)?.[0] ?? 'what the guide says';
    return printed.includes(said) ? [] : [`It printed ${printed}`];
  },
  vite: async (folder) => {
    npm(folder, 'build');
    return problemsOfPage(join(folder, 'dist'));
  },
  plugin: async (folder) => {
    for (const script of ['types', 'build', 'test']) npm(folder, script);
    npm(folder, 'estimate', ...QUICKLY);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return [
      ...problemsOfManifest(manifest),
      ...problemsOfBuild(folder),
      ...problemsOfEstimate(folder, 'drag', 0.35, 1e-4),
      ...(await problemsOfPackage(folder)),
    ];
  },
  kind: async (folder) => {
    for (const script of ['film', 'new', 'build']) npm(folder, script);
    npm(folder, 'estimate', ...QUICKLY);
    return [...problemsOfEstimate(folder, 'gravity', 9.81, 2e-2), ...(await problemsOfPackage(folder))];
  },
};

/** Templates of create-gradsim that are tested here. */
export const tried = Object.keys(FIRST_HOUR);

/**
 * Starts a project outside of the repository as `npm create gradsim` does, from packed packages, and does there what its
 * author would. Returns one sentence for each problem. It needs no network.
 * @param {string} template
 */
export async function problemsOfProject(template) {
  try {
    return await elsewhere(async (folder) => {
      const [project, tool] = ['project', 'tool'].map((each) => join(folder, each));
      mkdirSync(tool);
      installCreator(tool);
      startProject(tool, template, name, project);
      installNeeds(project);
      return FIRST_HOUR[template](project);
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Runs a script of a project, and returns what it printed. @param {string} folder @param {string[]} args */
function npm(folder, ...args) {
  const result = run(folder, 'npm', ['run', ...args]);
  mustSucceed(result);
  return result.stdout;
}

/** What `npm install` does, with packed packages of the workspace, and the tools that it has. @param {string} folder */
function installNeeds(folder) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const own = new Set(publishedPackages().map((published) => published.name));
  const needs = Object.keys({ ...dependencies, ...devDependencies });
  const tools = needs
    .filter((need) => !own.has(need))
    .map((need) => [need, `link:${realpathSync(join(root, 'node_modules', need))}`]);
  const packed = needs.filter((need) => own.has(need));
  install(folder, { ...packInto(folder, packed), ...Object.fromEntries(tools) });
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

/** @param {string} folder @param {string} parameter @param {number} truth @param {number} tolerance relative */
function problemsOfEstimate(folder, parameter, truth, tolerance) {
  const { stages } = JSON.parse(readFileSync(join(folder, 'out/result.json'), 'utf8'));
  const { estimate } = stages[0].parameters[parameter];
  return Math.abs(estimate / truth - 1) < tolerance ? [] : [`The ${parameter} was ${truth}, the estimate ${estimate}.`];
}

/** Posts the highest and the lowest row of the canvas that was ever drawn to, after two seconds of it. */
const WATCH = `<script>
  const rows = [];
  const look = () => {
    const canvas = document.querySelector('canvas');
    const { data, width } = canvas?.getContext('2d').getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    const at = data.findIndex((value, k) => k % 4 === 3 && value > 0);
    if (at >= 0) rows.push(Math.floor(at / 4 / width));
    if (rows.length < 20) return setTimeout(look, 100);
    fetch('/', { method: 'POST', body: JSON.stringify([Math.min(...rows), Math.max(...rows)]) });
  };
  look();
</script>`;

/** What is wrong with the built page of a ball that bounces, in Chromium. @param {string} dist */
async function problemsOfPage(dist) {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const chromium = findChromium();
  if (!chromium) {
    console.warn('SKIPPED, NOT TESTED: the new page in Chromium, which is not installed.');
    return existsSync(join(dist, 'assets')) ? [] : ['The build has no script.'];
  }
  const { Browser } = await import(new URL('../../lab/page/dist/visit.js', import.meta.url).href);
  const browser = await Browser.open(chromium);
  try {
    const { report, said } = await browser.visit({ html: html + WATCH, folder: dist }, 120);
    const [highest, lowest] = report;
    return [
      ...(lowest - highest > 20 ? [] : [`The ball stays between the rows ${highest} and ${lowest}.`]),
      // Its canvas is read here, which Chromium thinks slow.
      ...said
        .filter((/** @type {string} */ line) => !line.startsWith('Canvas2D: Multiple readback'))
        .map((/** @type {string} */ line) => `The page says: ${line}`),
    ];
  } finally {
    await browser.close();
  }
}
