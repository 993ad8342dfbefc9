import { resolve } from 'node:path';
import { isFolder } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { checkCodecs } from '../doctor/codecs.ts';
import type { Finding } from '../doctor/finding.ts';
import { checkDevices, checkNode } from '../doctor/machine.ts';
import { checkPackages } from '../doctor/packages.ts';
import type { Terminal } from '../terminal/terminal.ts';

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok', missing: 'optional', wrong: 'WRONG' };

/**
 * `gradsim doctor`: checks Node, the packages that an experiment in a folder would use, devices and codecs. Returns 1 where
 * something is wrong, else 0.
 * @throws for a folder that is not there.
 */
export async function doctorCommand(
  folder: string,
  { json = false }: { readonly json?: boolean },
  { print }: Terminal,
): Promise<number> {
  const at = resolve(folder);
  if (!isFolder(at))
    throw new GradsimError('gradsim/no-folder', `There is no folder ${at}.`, {
      hint: 'Name the folder in which the experiment or the project is; without one it is the current folder.',
    });
  const findings = [
    checkNode(process.versions.node),
    ...checkPackages(at),
    ...(await checkDevices()),
    ...(await checkCodecs()),
  ];
  const wrong = findings.filter(({ state }) => state === 'wrong');
  if (json) print(JSON.stringify({ folder: at, isWell: wrong.length === 0, findings }));
  else for (const line of linesOf(findings)) print(line);
  return wrong.length > 0 ? 1 : 0;
}

/** One line a finding, and the command that mends it below; the last line counts what is wrong. */
function linesOf(findings: readonly Finding[]): string[] {
  const marks = Math.max(...findings.map(({ state }) => MARKS[state].length));
  const width = Math.max(...findings.map(({ about }) => about.length));
  const count = findings.filter(({ state }) => state === 'wrong').length;
  return [
    ...findings.flatMap(({ about, state, text, command }) => [
      `${MARKS[state].padEnd(marks)}  ${about.padEnd(width)}  ${text}`,
      ...(command ? [`${' '.repeat(marks + width + 4)}$ ${command}`] : []),
    ]),
    count === 0 ? 'Nothing is wrong.' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`,
  ];
}
