import { GradsimError } from '@gradsim/base';
import type { Executor } from './device.ts';

/** A request for a range of arena words. */
export interface ReadRequest {
  readonly arena: 'f32' | 'u32';
  readonly from: number;
  readonly words: number;
}
export type Answer = Float32Array | Float64Array | Uint32Array;

/** A query of device memory: the words to read, and the result computed from them. */
export interface Query<T> {
  readonly requests: readonly ReadRequest[];
  /**
   * Computes the result from the words read, one array per request. The arrays may be views of device memory: copy
   * them, do not change them.
   */
  readonly conclude: (answers: readonly Answer[]) => T;
}

/** A generator that yields all its requests at once and is resumed with one array of words per request. */
export type QuerySteps<T> = Generator<readonly ReadRequest[], T, readonly Answer[]>;

/** Requests words as they are at the call, and waits for them: one array per request. */
const fetched = (executor: Executor, requests: readonly ReadRequest[]): Promise<Answer[]> =>
  Promise.all(
    requests.map(({ arena, from, words }) =>
      arena === 'f32' ? executor.readF32(from, words) : executor.readU32(from, words),
    ),
  );

function peekAnswers(executor: Executor, requests: readonly ReadRequest[]): Answer[] {
  if (!executor.peekF32 || !executor.peekU32)
    throw new GradsimError(
      'kernel/device-only-records',
      'This device only records its work, so what it holds has to be waited for.',
      { hint: 'Use the function without Sync, and `await` it.' },
    );
  return requests.map(({ arena, from, words }) =>
    arena === 'f32' ? executor.peekF32!(from, words) : executor.peekU32!(from, words),
  );
}

const isQuery = <T>(query: Query<T> | QuerySteps<T>): query is Query<T> => 'requests' in query;

function* stepsOf<T>({ requests, conclude }: Query<T>): QuerySteps<T> {
  return conclude(yield requests);
}

/** Runs a query and waits for its result. The first requests read the values at the time of the call. */
export async function runQuery<T>(executor: Executor, query: Query<T> | QuerySteps<T>): Promise<T> {
  const work = isQuery(query) ? stepsOf(query) : query;
  let step = work.next();
  while (!step.done) step = work.next(await fetched(executor, step.value));
  return step.value;
}

/** Runs a query without waiting. @throws on a device that only records, where answers have to be awaited. */
export function runQuerySync<T>(executor: Executor, query: Query<T> | QuerySteps<T>): T {
  const work = isQuery(query) ? stepsOf(query) : query;
  let step = work.next();
  while (!step.done) step = work.next(peekAnswers(executor, step.value));
  return step.value;
}
