// Program of the decoder process: opens and decodes one film after another. In a process of its own, so that a file
// that makes a demuxer or a decoder hang or crash ends only this one.
import { Worker } from 'node:worker_threads';
import { defect, isGradsimError } from '@gradsim/base';
import { readBytes } from '@gradsim/base/files';
import { reasonOf } from '../../errors.ts';
import {
  type Container,
  canDecode,
  closeContainer,
  decodePictures,
  frameAtTime,
  openContainer,
} from '../../formats/container/container.ts';
import { PacketError } from '../../formats/container/damage.ts';
import { registerCodecs } from '../codecs.ts';
import { endGroupOf } from '../processes.ts';
import { type Answer, END_OF_COMPLAINTS, PICTURE_IN_COMPLAINTS, PICTURES_AHEAD, type Request } from './messages.ts';

const sendAnswer = (message: Answer): void => {
  process.send?.(message);
};
const fail = (error: unknown): void => {
  const isOfPacket = error instanceof PacketError && container !== undefined;
  const frame = isOfPacket ? frameAtTime(container!.times, error.time) : undefined;
  process.stderr.write(END_OF_COMPLAINTS, () =>
    sendAnswer({
      kind: 'failed',
      message: reasonOf(error),
      refusal: isGradsimError(error) ? error.toJSON() : undefined,
      frame,
    }),
  );
};
// A library may leave a rejected promise unhandled.
process.on('unhandledRejection', fail);
process.on('uncaughtException', fail);
/** Process groups of ffmpeg programs started by the parent process, to be ended if the parent is killed. */
const guardedGroups = new Set<number>();
process.on('disconnect', () => {
  for (const group of guardedGroups) endGroupOf(group);
  process.exit();
});
// Without its parent nothing would stop a decoder that hangs here, and its thread could not notice.
new Worker(
  `const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`,
  { eval: true },
).unref();

let container: Container | undefined;
let picturesAhead = 0;
let damage: PacketError | undefined;
let wake: (() => void) | undefined;

/** Loads the demuxer and the decoders; done once. */
async function loadLibraries() {
  const [codecs] = await Promise.all([
    registerCodecs((error) => {
      damage ??= error;
    }),
    import('../../formats/container/mediabunny.ts'),
  ]);
  return codecs;
}

/** First byte of Matroska and WebM. */
const MATROSKA_BYTE = 0x1a;

async function open(name: string, film: string | Uint8Array, track: number | undefined): Promise<void> {
  const { compileLibvpx } = await loadLibraries();
  const bytes = typeof film === 'string' ? await readBytes(film) : film;
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Their films mostly are VP8 or VP9: libvpx compiles while the container is read. A failure occurs again at a packet.
  if (view[0] === MATROSKA_BYTE) compileLibvpx?.().catch(() => {});
  container = await openContainer(name, view, track, () => sendAnswer({ kind: 'busy' }));
  const { info, times } = container;
  sendAnswer({ kind: 'opened', info, times, canDecode: await canDecode(container) });
}

async function decode(first: number, last: number): Promise<void> {
  if (!container) throw defect('There is no open film');
  picturesAhead = 0;
  damage = undefined;
  for await (const { index, picture } of decodePictures(container, { first, last })) {
    sendAnswer({ kind: 'picture', index, picture: await picture() });
    process.stderr.write(PICTURE_IN_COMPLAINTS);
    picturesAhead++;
    while (picturesAhead >= PICTURES_AHEAD) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  // Anything after the last frame was only read ahead.
  const wrong = damageUpTo(container, last);
  if (wrong) fail(wrong);
  else process.stderr.write(END_OF_COMPLAINTS, () => sendAnswer({ kind: 'end' }));
}

/**
 * Returns the reported damage if it is of a frame up to `last`: decoders read ahead, and later frames do not matter.
 */
function damageUpTo({ times }: Container, last: number): PacketError | undefined {
  return damage && frameAtTime(times, damage.time) <= last ? damage : undefined;
}

function serveRequest(request: Request): Promise<void> | void {
  switch (request.kind) {
    case 'open':
      return open(request.name, request.film, request.track);
    case 'decode':
      return decode(request.first, request.last);
    case 'taken':
      picturesAhead--;
      wake?.();
      return;
    case 'guard':
      guardedGroups.add(request.group);
      return;
    case 'release':
      guardedGroups.delete(request.group);
      return;
    case 'close':
      if (container) closeContainer(container);
      container = undefined;
      sendAnswer({ kind: 'closed' });
  }
}

process.on('message', (request: Request) => {
  Promise.resolve(serveRequest(request)).catch(fail);
});
// Preloading; a failure occurs again when a film is opened.
loadLibraries().catch(() => {});
sendAnswer({ kind: 'ready' });
