import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import { problemOf, text } from '../shape.ts';
import { differencesOf, problemOfRecord, type StudyRecord } from '../study/load/study-record.ts';

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

/** Maximum number of requests for keys, of a thousand each: a server that is none may answer without end. */
const MOST_ROUNDS = 10_000;

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

/** Announcements on a server that concern a worker, as sentences. */
interface OtherVersions {
  /** Sentences on what differs between this study and those announced under its name. */
  readonly differences: readonly string[];
  /** Sentences on announcements that no sweep wrote. */
  readonly remarks: readonly string[];
}

/** Looks for other versions of a study on a server; there are none if this version itself is announced. */
export async function otherVersions(client: Redis, own: StudyRecord): Promise<OtherVersions> {
  if (await client.exists(keyOf(own.code))) return { differences: [], remarks: [] };
  const keys: string[] = [];
  let rounds = 0;
  for await (const some of client.scanStream({ match: keyOf('*'), count: 1000 })) {
    keys.push(...(some as string[]));
    if (++rounds === MOST_ROUNDS) break;
  }
  const texts = keys.length === 0 ? [] : await client.mget(keys);
  const differences: string[] = [];
  const remarks: string[] = [];
  for (const [k, content] of texts.entries()) {
    if (content === null) continue;
    const other = parseAnnouncement(content);
    if (typeof other === 'string') remarks.push(`The announcement ${keys[k]} there is of no sweep: ${other}.`);
    else if (other.study === basename(own.study))
      differences.push(
        `Trials of ${other.study} wait there from the machine ${other.machine}, in another version: ${differencesOf(other, own)} differ.`,
      );
  }
  return { differences, remarks };
}

/** Parses an announcement; returns the reason if it is none. */
function parseAnnouncement(content: string): Announcement | string {
  let read: unknown;
  try {
    read = JSON.parse(content);
  } catch {
    return 'it is no JSON';
  }
  const { machine, ...record } = (read ?? {}) as Partial<Announcement>;
  const problem = problemOfRecord(record) ?? problemOf(machine, text);
  return problem ?? (read as Announcement);
}
