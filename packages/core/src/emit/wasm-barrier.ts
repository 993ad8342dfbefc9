import { Code } from './wasm-encoder.ts';
import type { MemoryPlan } from './wasm-memory.ts';
import { ATOMIC, SCALAR } from './wasm-opcodes.ts';

/** Words of the barrier, in one line of cache: how many have arrived since the start, how many sleep. */
const ARRIVED = 0;
const SLEEPING = 4;

/**
 * How often a thread looks before it goes to sleep. Some tens of microseconds: waking takes as long, and a thread that
 * slept is late at the next barrier, where the others would sleep in turn.
 */
const LOOKS = 50_000;

/**
 * The function `(own, threads, maySleep)` that comes back once all threads have called it; `own` is the address of
 * the thread's line. Threads look again and again for a while, then sleep; one that must not sleep (a page's own)
 * goes on looking.
 */
export function barrierCode({ barrier, awaited }: MemoryPlan): Code {
  const [own, threads, maySleep] = [0, 1, 2];
  const code = new Code(3);
  const target = code.local('i32');
  const seen = code.local('i32');
  const looks = code.local('i32');
  const add = (word: number, value: number): void => {
    code.i32(0);
    code.i32(value);
    code.atomic(ATOMIC.add, barrier + word);
  };
  // Each barrier lets threads on when as many more have arrived as there are; the count may wrap.
  code.get(own);
  code.get(own);
  code.memory(SCALAR.i32Load, awaited);
  code.get(threads);
  code.byte(SCALAR.i32Add);
  code.tee(target);
  code.memory(SCALAR.i32Store, awaited);
  add(ARRIVED, 1);
  code.i32(1);
  code.byte(SCALAR.i32Add);
  code.get(target);
  code.byte(SCALAR.i32Eq);
  code.if();
  code.i32(0);
  code.atomic(ATOMIC.load, barrier + SLEEPING);
  code.if();
  code.i32(0);
  code.get(threads);
  code.atomic(ATOMIC.notify, barrier + ARRIVED);
  code.drop();
  code.end();
  code.else();
  code.block();
  code.loop();
  code.i32(0);
  code.atomic(ATOMIC.load, barrier + ARRIVED);
  code.tee(seen);
  code.get(target);
  code.byte(SCALAR.i32Sub);
  code.i32(0);
  code.byte(SCALAR.i32GeS);
  code.branchIf(1);
  code.get(looks);
  code.i32(1);
  code.byte(SCALAR.i32Add);
  code.tee(looks);
  code.i32(LOOKS);
  code.byte(SCALAR.i32GeU);
  code.get(maySleep);
  code.byte(SCALAR.i32And);
  code.if();
  add(SLEEPING, 1);
  code.drop();
  // Comes back at once where another has arrived in the meantime.
  code.i32(0);
  code.get(seen);
  code.i64(-1);
  code.atomic(ATOMIC.wait, barrier + ARRIVED);
  code.drop();
  add(SLEEPING, -1);
  code.drop();
  code.end();
  code.branch(0);
  code.end();
  code.end();
  code.end();
  return code;
}
