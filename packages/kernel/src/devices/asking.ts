import { GradsimError } from '../error.ts';
import type { Executor } from './device.ts';

/** A request for a range of arena words. */
export interface Ask {
  readonly arena: 'f32' | 'u32';
  readonly from: number;
  readonly words: number;
}
export type Answer = Float32Array | Float64Array | Uint32Array;

/** A question about device memory: the words to read and the conclusion drawn from them. */
export interface Question<T> {
  readonly asks: readonly Ask[];
  /** Computes the result. The answers may be views of device memory: copy them, do not change them. */
  readonly conclude: (answers: readonly Answer[]) => T;
}

/** A generator that yields its requests, all at once, and is resumed with the answers. */
export type Asking<T> = Generator<readonly Ask[], T, readonly Answer[]>;

/** Submits the requests for the words as they are now, and waits for the answers. */
const fetched = (executor: Executor, asks: readonly Ask[]): Promise<Answer[]> =>
  Promise.all(
    asks.map(({ arena, from, words }) =>
      arena === 'f32' ? executor.readF32(from, words) : executor.readU32(from, words),
    ),
  );

function peeked(executor: Executor, asks: readonly Ask[]): Answer[] {
  if (!executor.peekF32 || !executor.peekU32)
    throw new GradsimError(
      'kernel/device-only-records',
      'This device only records its work, so what it holds has to be waited for.',
      { hint: 'Use the function without Sync, and `await` it.' },
    );
  return asks.map(({ arena, from, words }) =>
    arena === 'f32' ? executor.peekF32!(from, words) : executor.peekU32!(from, words),
  );
}

const isQuestion = <T>(asked: Question<T> | Asking<T>): asked is Question<T> => 'asks' in asked;

function* asking<T>({ asks, conclude }: Question<T>): Asking<T> {
  return conclude(yield asks);
}

/** Waits for a device's answers. The first requests are for the values at the time of the call. */
export async function answered<T>(executor: Executor, asked: Question<T> | Asking<T>): Promise<T> {
  const work = isQuestion(asked) ? asking(asked) : asked;
  let step = work.next();
  while (!step.done) step = work.next(await fetched(executor, step.value));
  return step.value;
}

/** Returns the answers without waiting. @throws on a device that only records, where answers have to be awaited. */
export function answeredNow<T>(executor: Executor, asked: Question<T> | Asking<T>): T {
  const work = isQuestion(asked) ? asking(asked) : asked;
  let step = work.next();
  while (!step.done) step = work.next(peeked(executor, step.value));
  return step.value;
}
