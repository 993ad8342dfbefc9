import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import { differencesOf, type StudyRecord } from '../study/study-record.ts';

/**
 * Record of a study whose trials are queued on a server, so that a worker with another version of the study can say
 * what differs.
 */
interface Announcement extends StudyRecord {
  /** Machine on which the coordinator, `gradsim sweep`, runs. */
  readonly machine: string;
}

/** Time after which a study that is not announced again expires on the server, s. */
const KEPT = 7 * 24 * 3600;

const keyOf = (code: string): string => `gradsim:study:${code.slice(0, 20)}`;

/** Announces a study on the server, with an expiry time. */
export async function announce(client: Redis, record: StudyRecord): Promise<void> {
  const announcement: Announcement = { ...record, study: basename(record.study), machine: hostname() };
  await client.set(keyOf(record.code), JSON.stringify(announcement), 'EX', KEPT);
}

/** Withdraws what {@link announce} announced: no trials of the study are queued any more. */
export async function withdraw(client: Redis, { code }: StudyRecord): Promise<void> {
  await client.del(keyOf(code));
}

/**
 * Sentences on what differs between this study and those announced under its name; empty if this version itself is
 * announced.
 */
export async function otherVersions(client: Redis, own: StudyRecord): Promise<string[]> {
  if (await client.exists(keyOf(own.code))) return [];
  const keys: string[] = [];
  for await (const some of client.scanStream({ match: keyOf('*'), count: 1000 })) keys.push(...(some as string[]));
  if (keys.length === 0) return [];
  const texts = await client.mget(keys);
  return texts
    .flatMap((text) => (text === null ? [] : [JSON.parse(text) as Announcement]))
    .filter(({ study }) => study === basename(own.study))
    .map(
      (other) =>
        `Trials of ${other.study} wait there from the machine ${other.machine}, in another version: ${differencesOf(other, own)} differ.`,
    );
}
