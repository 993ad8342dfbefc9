import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface Pictures {
  readonly width: number;
  readonly height: number;
  /** 8-bit RGB; frames one after another, rows from the top. */
  readonly data: Buffer;
}

/**
 * Encodes an H.264 film like a phone: BT.709, chroma at half resolution, occasional key frames.
 *
 * @param quality constant rate factor, 0 (lossless) to 51.
 * @throws if `ffmpeg` with x264 is not on the `PATH`, or fails, with its error output.
 */
export async function writeH264(
  path: string,
  { width, height, data }: Pictures,
  frameRate: number,
  quality: number,
): Promise<void> {
  await ffmpeg(
    [
      ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${frameRate}`, '-i', 'pipe:0'],
      ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-pix_fmt', 'yuv420p'],
      ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
      ...['-c:v', 'libx264', '-crf', `${quality}`, '-movflags', '+faststart', '-y', path],
    ],
    data,
  );
}

/** Writes one picture as a PNG. */
export async function writePng(path: string, { width, height, data }: Pictures): Promise<void> {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-i', 'pipe:0'];
  await ffmpeg([...input, '-frames:v', '1', '-update', '1', '-y', path], data);
}

async function ffmpeg(options: readonly string[], input: Buffer): Promise<void> {
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const complaints = text(child.stderr);
  // It ends early where it fails; its complaint then says more than the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Films are encoded by the program ffmpeg, which cannot be started (${error.code}).`);
  });
  if (code !== 0) throw new Error(`ffmpeg ended with code ${code}: ${(await complaints).trim()}`);
}
