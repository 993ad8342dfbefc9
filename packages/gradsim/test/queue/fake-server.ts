import { createServer, type Server, type Socket } from 'node:net';

/** Reply of a fake server: bytes of its protocol, or nothing at all. */
export type Reply = string | undefined;

export const ok = '+OK\r\n';
export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** Replies of a server that would do, by the name of the command. */
const GOOD: Readonly<Record<string, Reply>> = {
  info: bulk('redis_version:7.2.0\r\nmaxmemory_policy:noeviction\r\nloading:0\r\n'),
  time: `*2\r\n${bulk(String(Math.floor(Date.now() / 1000)))}${bulk('0')}`,
  exists: ':1\r\n',
  ping: '+PONG\r\n',
};

/**
 * Server on this machine that speaks as Redis does, but for some commands.
 * @param wrong replies by command, in lower case; `*` for all.
 */
export async function fakeRedis(wrong: Readonly<Record<string, Reply>>): Promise<{ url: string; stop: () => void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if ('connect' in wrong && wrong.connect !== undefined) socket.write(wrong.connect);
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let command = nextOf(text); command; command = nextOf(text)) {
        text = text.slice(command.length);
        const replies = { ...GOOD, ...wrong };
        const reply = command.name in replies ? replies[command.name] : '*' in wrong ? wrong['*'] : ok;
        if (reply === 'end') socket.destroy();
        else if (reply !== undefined) socket.write(reply);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `redis://127.0.0.1:${(server.address() as { port: number }).port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** First whole command of what a client has sent, with its length; undefined if there is none. */
function nextOf(text: string): { name: string; length: number } | undefined {
  const [, count] = /^\*(\d+)\r\n/.exec(text) ?? [];
  if (count === undefined) return undefined;
  let at = text.indexOf('\r\n') + 2;
  let name = '';
  for (let k = 0; k < Number(count); k++) {
    const end = text.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const length = Number(text.slice(at + 1, end));
    if (end + 2 + length + 2 > text.length) return undefined;
    if (k === 0) name = text.slice(end + 2, end + 2 + length).toLowerCase();
    at = end + 2 + length + 2;
  }
  return { name, length: at };
}
