import type { Figures, Outcome, StageResult } from './run-stage.ts';

/** Rates of the paper's implementation on its GPU, forward, substeps a second, by tetrahedra. */
const PAPER = { 100: 9057, 1000: 4174, 10000: 3721 } as const;

/** Page of what a GPU was measured to do, as Markdown: each part had so many seconds. */
export function pageOf(device: string, results: readonly StageResult[], seconds: number): string {
  return [
    '# On a GPU',
    '',
    `${device}; Node ${process.versions.node}. \`npm run gpu\`, ${seconds} s a part: what did not end in them is marked.`,
    '',
    ...results.flatMap(({ title, outcomes }) => [`## ${title}`, '', ...outcomes.flatMap(partOf)]),
    `The paper's implementation on its GPU, forward: ${Object.entries(PAPER)
      .map(([tets, rate]) => `${rate} substeps a second at ${tets} tetrahedra`)
      .join(', ')}.`,
    '',
  ].join('\n');
}

const ENDS = { well: '', failed: ': **failed**', stopped: ': stopped when its time was over' } as const;

function partOf({ command, shows, figures, ended, seconds, messages }: Outcome): string[] {
  const rows = figures.filter((line) => shows.some((name) => name in line));
  const table = [
    `| ${shows.join(' | ')} |`,
    `|${shows.map(() => ' --- |').join('')}`,
    ...rows.map((line) => `| ${shows.map((name) => cellOf(line, name)).join(' | ')} |`),
  ];
  const message = messages ? ['```', messages.trimEnd(), '```', ''] : [];
  return [`\`${command}\`, ${seconds} s${ENDS[ended]}`, '', ...(rows.length > 0 ? [...table, ''] : []), ...message];
}

function cellOf(line: Figures, name: string): string {
  const value = line[name];
  if (typeof value === 'number') return `${Number(value.toPrecision(3))}`;
  return value === undefined ? '' : String(value);
}
