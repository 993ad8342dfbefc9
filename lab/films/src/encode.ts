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
 * @param clock frames a second, or the times of the frames, s, which the file states to 1 / 90000 s.
 * @param quality constant rate factor, 0 (lossless) to 51.
 * @throws if `ffmpeg` with x264 is not on the `PATH`, or fails, with its error output.
 */
export async function writeH264(
  path: string,
  { width, height, data }: Pictures,
  clock: number | readonly number[],
  quality: number,
): Promise<void> {
  const [rate, stamps] = typeof clock === 'number' ? [clock, []] : [30, stampedAt(clock)];
  await ffmpeg(
    [
      ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${rate}`, '-i', 'pipe:0'],
      ...['-vf', ['scale=out_color_matrix=bt709:out_range=tv', ...stamps].join(','), '-pix_fmt', 'yuv420p'],
      ...(stamps.length > 0 ? ['-fps_mode', 'passthrough', '-enc_time_base', `1:${TICKS}`] : []),
      ...(stamps.length > 0 ? ['-video_track_timescale', `${TICKS}`] : []),
      ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
      ...['-c:v', 'libx264', '-crf', `${quality}`, '-movflags', '+faststart', '-y', path],
    ],
    data,
  );
}

/** Steps of time stamps in a second. */
const TICKS = 90_000;

/** Filters that set the time stamps of frames. */
const stampedAt = (times: readonly number[]): string[] => [
  `settb=1/${TICKS}`,
  `setpts='${times.map((time, k) => `eq(N,${k})*${Math.round(TICKS * time)}`).join('+')}'`,
];

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
