// Second thread that fits a shape to frames: it is told the shape, says that it is there, and takes frames.
import { node } from '../threads/start.ts';
import type { ReturnedJob, SentJob } from '../threads/two-threads.ts';
import { type FrameFit, fitState, type Shape } from './shape.ts';
import { type ShapeRecord, shapeOf } from './shapes.ts';

type Receive = (message: unknown) => void;
const { parentPort } = node?.getBuiltinModule?.('node:worker_threads') ?? {};
const page = globalThis as unknown as { postMessage: Receive; onmessage: (event: MessageEvent) => void };
const reply: Receive = (message) => (parentPort ?? page).postMessage(message);

let shape: Shape<unknown, unknown> | undefined;
const receive: Receive = (message) => {
  if (!shape) {
    shape = shapeOf(message as ShapeRecord) as Shape<unknown, unknown>;
    reply(undefined);
    return;
  }
  const { number, job } = message as SentJob<FrameFit<unknown>>;
  try {
    reply({ number, done: fitState(shape, job), isDone: true } satisfies ReturnedJob<unknown>);
  } catch {
    reply({ number, done: undefined, isDone: false } satisfies ReturnedJob<unknown>);
  }
};
if (parentPort) parentPort.on('message', receive);
else page.onmessage = ({ data }) => receive(data);
