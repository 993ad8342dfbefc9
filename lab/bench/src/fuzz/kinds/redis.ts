import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { COMMAND } from '../../support/command.ts';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';
import { inFolder } from '../write/in-process.ts';
import { cameOfCommand } from './commands.ts';

/** A worker or a sweep, and a server that is none, or one that refuses, lies or says nothing. */
export const redis: Kind = { name: 'redis', limit: 60, draw };

/** Time after which a program that has a server is ended, and then has ended, s. */
const [RUNS, ENDS] = [1.5, 8];

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const INFO = bulk('redis_version:7.2.0\r\nmaxmemory_policy:noeviction\r\nloading:0\r\n');
const GOOD: Readonly<Record<string, string>> = {
  info: INFO,
  ping: '+PONG\r\n',
  exists: ':1\r\n',
  time: `*2\r\n${bulk('1800000000')}${bulk('0')}`,
};
/** Commands of which one is answered in a way of its own; `*` stands for all. */
const COMMANDS = ['info', 'select', 'set', 'time', 'exists', 'client', 'ping', 'bzpopmin', 'evalsha', 'hello', '*'];
/** Answers of that kind; undefined for none, and `end` for the end of the connection. */
const REPLIES: readonly (string | undefined)[] = [
  undefined,
  'end',
  ...[
    '-OOM command not allowed when used memory > maxmemory.\r\n',
    "-READONLY You can't write against a read only replica.\r\n",
  ],
  ...[
    '-MISCONF Redis is configured to save RDB snapshots, but it cannot.\r\n',
    '-LOADING Redis is loading\r\n',
    '-NOPERM no\r\n',
  ],
  ...[
    '-NOAUTH Authentication required.\r\n',
    '-WRONGPASS no\r\n',
    '-ERR unknown command\r\n',
    '-BUSY a script\r\n',
    '-\r\n',
    '$-1\r\n',
  ],
  ...[
    '*-1\r\n',
    '*0\r\n',
    ':-9223372036854775808\r\n',
    ':x\r\n',
    '+\r\n',
    '$5\r\nab',
    '$99999999999\r\nab',
    '*99999999\r\n',
  ],
  ...[
    'HTTP/1.1 200 OK\r\n\r\n<html>',
    '\0\0\0\0',
    '\r\n\r\n',
    `+${'x'.repeat(100_000)}\r\n`,
    '*1\r\n*1\r\n*1\r\n:1\r\n',
    '%1\r\n+a\r\n+b\r\n',
  ],
  ...[bulk(''), bulk('redis_version:\r\n'), bulk('redis_version:9e99.x\r\n'), bulk('\u001b[2J\u202e')],
];

async function draw(random: Draw): Promise<Case> {
  const [command, reply] = [random.pick(COMMANDS), random.pick(REPLIES)];
  const program = random.pick(Object.keys(PROGRAMS));
  return {
    about: `${program}: ${command} is answered by ${JSON.stringify(reply?.slice(0, 50)) ?? 'nothing'}`,
    expected: 'either',
    read: () => outcomeOfReply(program, command, reply),
  };
}

/** Programs that use a queue, with their options, and what they say once they run. */
const PROGRAMS: Readonly<Record<string, { readonly options: readonly string[]; readonly runs: RegExp }>> = {
  worker: { options: [], runs: /^Taking trials/m },
  sweep: { options: ['--out', 'out'], runs: /^No worker takes/m },
};

async function outcomeOfReply(program: string, command: string, reply: string | undefined): Promise<CaseOutcome> {
  const { port, connected, stop } = await fake(command, reply);
  const study = 'export default { trials: [{ x: 1 }], run: ({ x }) => ({ x }) };';
  try {
    return await inFolder({ 'study.mjs': study }, async (folder) => {
      const { options, runs } = PROGRAMS[program];
      const args = [program, 'study.mjs', ...options, '--queue', `redis://127.0.0.1:${port}`];
      const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      let [out, err] = ['', ''];
      child.stdout.on('data', (text) => {
        out += text;
      });
      let [isRunning, isInterrupted] = [false, false];
      const interrupt = (): void => {
        isInterrupted = true;
        child.kill('SIGINT');
      };
      child.stderr.on('data', (text) => {
        err += text;
        if (isRunning || !runs.test(err)) return;
        isRunning = true;
        setTimeout(interrupt, 1000 * RUNS);
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      // A server that does not answer is named within ten seconds; then, or once it runs, Ctrl+C ends it.
      await Promise.race([ended, connected]);
      const first = await Promise.race([ended, after(16_000, 'late' as const)]);
      if (first === 'late' && !isRunning) interrupt();
      const code = first === 'late' ? await Promise.race([ended, after(1000 * ENDS, 'late' as const)]) : first;
      if (code === 'late') {
        child.kill('SIGKILL');
        return { what: 'broke', message: `Ctrl+C does not end it: ${err}` };
      }
      // Nothing was said before: the server was waited for in silence.
      if (first === 'late' && !/queue|Stopping/.test(err))
        return { what: 'broke', isSilent: true, message: `it waits: ${err}` };
      // A sweep that is interrupted says what is left.
      const isLeft = program === 'sweep' && isInterrupted && (code === 5 || code === 130);
      return cameOfCommand({ args, files: {}, names: [] }, { code: isLeft ? 0 : code, signal: null, out, err });
    });
  } finally {
    stop();
  }
}

/** Starts a server that answers one command in its own way, and all others as Redis does, more or less. */
async function fake(
  wrong: string,
  reply: string | undefined,
): Promise<{ port: number; connected: Promise<void>; stop: () => void }> {
  const sockets = new Set<Socket>();
  let connect = (): void => {};
  const connected = new Promise<void>((done) => {
    connect = done;
  });
  const server = createServer((socket) => {
    connect();
    sockets.add(socket);
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let next = nextOf(text); next; next = nextOf(text)) {
        text = text.slice(next.length);
        const isWrong = wrong === '*' || next.name === wrong;
        const answer = isWrong ? reply : (GOOD[next.name] ?? '+OK\r\n');
        if (answer === 'end') socket.destroy();
        // Commands that wait are not answered at once: what asks again at once would ask without end.
        else if (answer !== undefined)
          setTimeout(() => socket.write(Buffer.from(answer, 'latin1')), next.name.startsWith('b') ? 200 : 0);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    connected,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** First whole command of what a client has sent, in lower case, with its length. */
function nextOf(text: string): { name: string; length: number } | undefined {
  const count = /^\*(\d+)\r\n/.exec(text)?.[1];
  if (count === undefined) return undefined;
  let at = text.indexOf('\r\n') + 2;
  let name = '';
  for (let k = 0; k < Number(count); k++) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const length = Number(text.slice(at + 1, end));
    if (text.length < end + 4 + length) return undefined;
    if (k === 0) name = text.slice(end + 2, end + 2 + length).toLowerCase();
    at = end + 4 + length;
  }
  return { name, length: at };
}
