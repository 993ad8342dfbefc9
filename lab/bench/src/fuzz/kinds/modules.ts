import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { wronglyAccepted } from '../kind.ts';
import { DROP } from '../write/drop.ts';
import { controlIn, gradsimIn, inFolder } from '../write/in-process.ts';
import { drawnModule, type OddModule } from '../write/odd-modules.ts';
import { runGradsim } from '../write/workplace.ts';
import { cameOfCommand } from './commands.ts';

/** Experiment modules: varying exports, values that their functions return or throw, and output that they print. */
export const modules: Kind = { name: 'modules', limit: 60, draw };

async function draw(random: Draw): Promise<Case> {
  // A process each, for what only the whole command can do.
  if (random.chance(0.03)) return random.pick([printing, ending])(random);
  const odd = drawnModule(random);
  return {
    about: odd.about,
    expected: odd.names ? 'refused' : 'valid',
    names: odd.names,
    read: () => outcomeOfModule(odd),
  };
}

const SHOWN = { render: 'film.gif', motion: 'scene.glb' };

function outcomeOfModule({ source, names, shows }: OddModule): Promise<CaseOutcome> {
  return inFolder({ 'odd.mjs': source }, async (folder) => {
    const command = shows
      ? ['render', './odd.mjs', '--out', SHOWN[shows]]
      : ['estimate', './odd.mjs', '--out', 'out', '--json'];
    const ended = await gradsimIn(folder, [...command, '--device', 'f64']);
    const control = controlIn(ended);
    if (control !== undefined) return wronglyAccepted(`${control}`);
    // A run that keeps records says so, and only then.
    const isKept = existsSync(join(folder, 'out/run.journal'));
    if (isKept !== ended.err.includes('is kept'))
      return wronglyAccepted(`records are ${isKept ? '' : 'not '}there: ${ended.err}`);
    return cameOfCommand({ args: [], files: {}, names }, ended);
  });
}

/** JavaScript expressions that write to standard output. */
const PRINTS = [
  'console.log("noise")',
  'process.stdout.write("noise\\n")',
  'console.table([1])',
  '(await import("node:child_process")).execFileSync("echo", ["noise"], { stdio: "inherit" })',
  '(await import("node:child_process")).spawnSync("echo", ["noise"], { stdio: ["ignore", 1, 2] })',
  'setTimeout(() => console.log("late noise"), 1)',
];

/** Case in which the experiment prints: with `--json`, standard output must still hold lines of JSON only. */
function printing(random: Draw): Case {
  const print = random.pick(PRINTS);
  const place = random.pick(['module', 'stages', 'notes'] as const);
  const at = (where: typeof place): string => (where === place ? `${print};` : '');
  const source = `${DROP}
${at('module')}
export default {
  name: 'loud', description: 'Prints.',
  stages: async () => {
    ${at('stages')}
    return [{ name: 'fall', problem, notes: async () => { ${at('notes')} return []; } }];
  },
};`;
  return {
    about: `${print} in ${place}, with --json`,
    expected: 'valid',
    read: async () => {
      const ended = await runGradsim(['estimate', './loud.mjs', '--device', 'f64', '--json'], {
        'loud.mjs': source,
      });
      const lines = ended.out.trim().split('\n');
      const isJson = (line: string): boolean => {
        try {
          return JSON.parse(line).stage === 'fall';
        } catch {
          return false;
        }
      };
      if (lines.length !== 1 || !isJson(lines[0]))
        return wronglyAccepted(`standard output holds ${ended.out.slice(0, 200)}`);
      return cameOfCommand({ args: [], files: {} }, ended);
    },
  };
}

const ENDS = [
  ['new Promise(() => {})', 'never'],
  ['process.exit(0)', 'process.exit'],
  ['process.exit(3)', 'process.exit'],
  [
    '(setTimeout(() => { throw new Error("The lamp went out."); }), new Promise((r) => setTimeout(r, 5000)))',
    'The lamp went out.',
  ],
  ['(Promise.reject(undefined), new Promise((r) => setTimeout(r, 5000)))', 'undefined'],
  ['(queueMicrotask(() => { throw null; }), new Promise((r) => setTimeout(r, 5000)))', 'null'],
] as const;

/** Case in which an error ends the process: it must be printed, with exit code 1. */
function ending(random: Draw): Case {
  const [code, said] = random.pick(ENDS);
  const isModule = random.chance(0.3);
  const source = `${isModule ? `await ${code};` : ''}
    export default { name: 'ends', description: '', stages: async () => { await ${code}; } };`;
  return {
    about: `${code} in ${isModule ? 'the module' : 'stages'}`,
    expected: 'refused',
    names: [said],
    read: async () => {
      const ended = await runGradsim(['estimate', './ends.mjs', '--device', 'f64'], { 'ends.mjs': source });
      if (ended.left?.join() !== 'ends.mjs') return wronglyAccepted(`the run left ${ended.left?.join(', ')}`);
      return cameOfCommand({ args: [], files: {} }, ended);
    },
  };
}
