// What a page does with robots: asks for their files where it came from, and posts where their joints end.
import { cpuDevice } from '@gradsim/core';
import { moveRobots } from './robot.ts';

const readFile = async (path: string): Promise<Uint8Array> => {
  const answer = await fetch(`/robots/${path}`);
  return new Uint8Array(await answer.arrayBuffer());
};
void moveRobots(cpuDevice({ threads: 1 }), readFile)
  .then(
    (ends) => ({ ends }),
    (error: Error) => ({ error: String(error.stack ?? error) }),
  )
  .then((report) => fetch('/report', { method: 'POST', body: JSON.stringify(report) }));
