import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { COMMAND } from '../../support/command.ts';
import type { Draw } from '../draw.ts';
import type { Case, CaseOutcome, Kind } from '../kind.ts';

/** Raw requests to the command `gradsim studio`, which must answer the page after each. */
export const studio: Kind = { name: 'studio', limit: 60, draw };

const PARTS = [
  ...[
    '/',
    '//',
    '/index.html',
    '/film',
    '/assets',
    '/..',
    '/.',
    '\\',
    '%',
    '%00',
    '%2e%2e',
    '%2f',
    '%5c',
    '%E0%A4%A',
    '?',
    '#',
  ],
  ...[
    '[',
    ']',
    ':',
    '@',
    'http://[',
    'http://localhost',
    '*',
    ' ',
    '\t',
    '\0',
    '\x80',
    'é',
    '__proto__',
    'constructor',
    '~',
    '|',
  ],
  ...[
    '/package.json',
    '/etc/passwd',
    'a'.repeat(300),
    'b'.repeat(9000),
    '/%',
    ';',
    '..;/',
    '%252e',
    '\u2028',
    '/offline.js',
  ],
];
const HEADERS = [
  ...[
    'Host: localhost',
    'Host: evil.example',
    'Host:',
    'Origin: http://evil.example',
    'Origin: null',
    'Origin: ://',
    'Range: bytes=0-',
  ],
  ...[
    'Range: bytes=5-2',
    'Range: bytes=a-b',
    'Range: bytes=0-0,1-1',
    'If-None-Match: "x"',
    'If-Modified-Since: never',
    'Accept: x',
  ],
  ...[
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Upgrade: websocket',
  ],
  ...['Connection: upgrade', `X: ${'y'.repeat(20_000)}`, ': nothing', 'Cookie: \0'],
];
const METHODS = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'get',
  'G\0T',
  '',
];

async function draw(random: Draw): Promise<Case> {
  const target = random.chance(0.2)
    ? random.pick(['/', '/index.html', '/?film=x', '/icon.svg', '/offline.js', '//'])
    : Array.from({ length: random.whole(1, 4) }, () => random.pick(PARTS)).join('');
  const headers = Array.from({ length: random.whole(0, 3) }, () => random.pick(HEADERS));
  const version = random.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9', '']);
  const own = random.chance(0.7) ? ['Host: localhost'] : [];
  const whole = [`${random.pick(METHODS)} ${target} ${version}`, ...own, ...headers, 'Connection: close', '', ''].join(
    '\r\n',
  );
  const bytes = Buffer.from(random.chance(0.15) ? whole.slice(0, random.whole(0, whole.length)) : whole, 'latin1');
  return { about: JSON.stringify(whole.slice(0, 90)), expected: 'either', read: () => cameOfRequest(bytes) };
}

let running: Promise<{ child: ChildProcess; port: number; said: () => string }> | undefined;

/** The studio, which goes on for all cases of this process. */
function started(): NonNullable<typeof running> {
  running ??= new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, 'studio'], { stdio: ['ignore', 'pipe', 'pipe'] });
    process.once('exit', () => child.kill('SIGKILL'));
    let [out, err] = ['', ''];
    child.stderr.on('data', (text) => {
      err += text;
    });
    child.stdout.on('data', (text) => {
      out += text;
      const port = Number(/:(\d+)\//.exec(out)?.[1]);
      if (port > 0) resolve({ child, port, said: () => err });
    });
    child.once('error', reject);
  });
  return running;
}

async function cameOfRequest(bytes: Buffer): Promise<CaseOutcome> {
  const { child, port, said } = await started();
  const answer = await ask(port, bytes);
  const after = await ask(port, Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'));
  const isGone = child.exitCode !== null || child.signalCode !== null;
  if (isGone || !/^HTTP\/1\.1 200 /.test(after)) {
    running = undefined;
    child.kill('SIGKILL');
    return { what: 'broke', message: `the studio answers no more: ${after.slice(0, 80)} ${said().slice(-300)}` };
  }
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 400);
  if (status >= 500 && status !== 501 && status !== 505)
    return { what: 'broke', message: `status ${status}: ${answer.slice(0, 200)}` };
  if (/root:|"name": "gradsim"/.test(answer))
    return { what: 'broke', isSilent: true, message: 'a file outside of the page is sent' };
  if (status >= 300) return { what: 'refused', message: `status ${status}, as it should be` };
  return { what: 'accepted', isSame: /^cross-origin-resource-policy: same-origin\r$/im.test(answer) };
}

/** All that comes back for bytes, until the server ends the connection, or says nothing for a second. */
function ask(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (data) => {
      if (answer.length < 100_000) answer += data.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}
