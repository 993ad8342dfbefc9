import { expect, it, vi } from 'vitest';
import { queueAddress } from '../../src/queue/address.ts';
import { connectQueue } from '../../src/queue/connection.ts';
import { PASSWORD, USER } from '../../src/study/processes/secrets.ts';

vi.mock('bullmq', () => {
  throw new Error('Cannot find package bullmq.');
});

it('queueAddress takes user, password, database and TLS from the address, and returns a text without user and password', () => {
  const { options, text } = queueAddress('rediss://me:p%40ss@queue.example:6380/2', {});
  expect(options).toMatchObject({ host: 'queue.example', port: 6380, db: 2, username: 'me', password: 'p@ss' });
  expect(options.tls).toEqual({ servername: 'queue.example' });
  expect(text).toBe('rediss://queue.example:6380/2');
  expect(queueAddress('redis://[::1]', {})).toEqual({
    options: { host: '::1', port: 6379, db: 0 },
    text: 'redis://[::1]:6379',
  });
});

it('queueAddress takes user and password from environment variables, and removes these', () => {
  const environment = { [USER]: 'me', [PASSWORD]: 'secret', PATH: '/bin' };
  expect(queueAddress('redis://queue', environment).options).toMatchObject({ username: 'me', password: 'secret' });
  expect(environment).toEqual({ PATH: '/bin' });
});

it.each([
  'queue:6379:secret',
  'http://:secret@queue',
  'redis://:secret@queue/x',
  'redis://:secret@queue?a=b',
  'redis:///2',
])('queueAddress refuses %s, without the password in the message', (url) => {
  expect(() => queueAddress(url, {})).toThrow(/^--queue (?!.*secret)/);
  expect(() => queueAddress(url, {})).toThrow(expect.objectContaining({ code: 'gradsim/queue-address' }));
});

it('connectQueue says which packages to install if bullmq is missing', async () => {
  const { options, text } = queueAddress('redis://127.0.0.1:1', {});
  await expect(connectQueue({ options, text }, () => {})).rejects.toMatchObject({
    code: 'gradsim/queue-packages',
    hint: expect.stringContaining('npm install bullmq ioredis'),
  });
});
