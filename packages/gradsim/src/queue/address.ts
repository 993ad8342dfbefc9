import { isIP } from 'node:net';
import { GradsimError } from '@gradsim/core';
import type { RedisOptions } from 'ioredis';
import { PASSWORD, USER } from '../study/processes/secrets.ts';

/** Address of a queue, with the options that open a connection to it. */
export interface QueueAddress {
  readonly options: RedisOptions;
  /** Address for messages: without user and password. */
  readonly text: string;
}

/**
 * Parses the value of `--queue`: `redis://` or, with TLS, `rediss://`; then `[USER:PASSWORD@]HOST[:PORT][/DATABASE]`.
 * User and password may be in the environment, from which they are removed, so that no trial process inherits them.
 * @throws for another address, which the message does not repeat: it may contain a password.
 */
export function queueAddress(url: string, environment: NodeJS.ProcessEnv = process.env): QueueAddress {
  const wrong = (what: string): GradsimError =>
    new GradsimError('gradsim/queue-address', `--queue ${what}.`, {
      hint: 'It takes redis://HOST:PORT, or rediss://HOST:PORT for TLS, and a number of a database behind it, as in redis://10.0.0.5:6379/2.',
    });
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed) throw wrong('is no address');
  const { protocol, hostname, port, pathname, search, hash } = parsed;
  if (protocol !== 'redis:' && protocol !== 'rediss:') throw wrong(`begins with ${protocol}//`);
  if (hostname === '') throw wrong('names no machine');
  if (search !== '' || hash !== '') throw wrong('has options behind the address, of which none is known');
  const database = /^\/?(\d*)$/.exec(pathname)?.[1];
  if (database === undefined) throw wrong('has more behind the port than the number of a database');
  // An IPv6 address is in brackets in a URL alone.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const username = decodeURIComponent(parsed.username) || environment[USER] || undefined;
  const password = decodeURIComponent(parsed.password) || environment[PASSWORD] || undefined;
  delete environment[USER];
  delete environment[PASSWORD];
  return {
    options: {
      host,
      port: Number(port || 6379),
      db: Number(database),
      ...(username && { username }),
      ...(password && { password }),
      // Certificates of numeric addresses are checked without a name.
      ...(protocol === 'rediss:' && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    },
    text: `${protocol}//${hostname}:${port || 6379}${database === '' ? '' : `/${database}`}`,
  };
}
