import { GradsimError } from '@gradsim/base';
import { damageReason } from '../errors.ts';
import { refuseHighRange, refuseOblong, stepsOf, type VideoInfo } from '../formats/container/container.ts';
import { displaysOf } from '../formats/container/display-matrix.ts';
import type { QuarterTurn } from '../frames/upright.ts';
import type { FilmInfo } from '../source/footage.ts';
import type { Material } from '../source/material.ts';
import { stampsOf } from '../source/stamps.ts';
import { complaintsIn, optionsOf, refuseInterlaced, withPath } from './ffmpeg.ts';
import { exitFault, FfmpegProgram, type GroupGuard } from './ffmpeg-program.ts';
import { plainText } from './plain-text.ts';

/** A frame as ffmpeg's filter showinfo prints it. */
interface ListedFrame {
  readonly pts: number;
  readonly width: number;
  readonly height: number;
  /** Width of a pixel over its height, `16/15`; `0/1` if unknown. */
  readonly shape: string;
}

/**
 * Describes a film that only the program ffmpeg can open, by decoding it once: AVI, say, or Motion JPEG in MOV.
 *
 * @param format name of the container.
 * @throws GradsimError when ffmpeg finds no film in it, or it is interlaced, damaged, of pixels that are not square or of
 * high dynamic range.
 */
export async function describeForeign(
  material: Material,
  format: FilmInfo['format'],
  {
    guard,
    signal,
    onProgress,
  }: { readonly guard: GroupGuard; readonly signal: AbortSignal; readonly onProgress: () => void },
): Promise<{ info: VideoInfo; times: number[] }> {
  const { name, track = 1 } = material;
  const shown: ListedFrame[] = [];
  let unit = 0;
  const lines = await withPath(material, async (path) => {
    const ffmpeg = new FfmpegProgram(optionsOf(path, track, [], ['-vf', 'showinfo=checksum=0', '-f', 'null']), {
      guard,
      signal,
      onLine: (line) => {
        const [, numerator, denominator] = /showinfo\S* @ .*config in time_base: (\d+)\/(\d+)/.exec(line) ?? [];
        if (denominator !== undefined) unit = Number(numerator) / Number(denominator);
        const frame = /showinfo\S* @ .*?\bpts:\s*(-?\d+) .*?\bsar:(\d+\/\d+) s:(\d+)x(\d+)/.exec(line);
        if (frame) {
          shown.push({ pts: Number(frame[1]), shape: frame[2], width: Number(frame[3]), height: Number(frame[4]) });
          onProgress();
        }
        return !line.includes('showinfo');
      },
    });
    try {
      const ending = await ffmpeg.drained();
      const complaints = complaintsIn(ffmpeg.lines) || exitFault(ending) || '';
      if (shown.length === 0 || complaints !== '') throw damaged(name, shown.length, complaints);
      return ffmpeg.lines;
    } finally {
      ffmpeg.end();
    }
  });
  const [first] = shown;
  refuseOblong(name, first.shape.replace('/', ':'));
  refuseInterlaced(name, lines);
  const video = lines.filter((line) => /Stream #\d/.test(line) && line.includes('Video: '));
  const [, codec = 'unknown'] = /Video: (\w+)/.exec(video[0] ?? '') ?? [];
  const transfer = /\((?:\w+, )?[\w-]+\/[\w-]+\/([\w-]+)/.exec(video[0] ?? '')?.[1];
  if (transfer === 'smpte2084' || transfer === 'arib-std-b67') refuseHighRange(name, transfer);
  const { rotation, isMirrored } = await displayIn(material, track, lines);
  const isOnSide = rotation % 180 !== 0;
  const times = shown.map(({ pts }) => unit * (pts - first.pts));
  const { width, height } = first;
  const info: VideoInfo = {
    name,
    format,
    codec,
    width: isOnSide ? height : width,
    height: isOnSide ? width : height,
    stored: { width, height },
    rotation,
    ...(isMirrored && { isMirrored }),
    frameCount: times.length,
    ...(times.length > 1 && {
      ...stampsOf(times, unit, (times.length - 1) / times[times.length - 1]),
      resolution: unit,
      steps: stepsOf(times),
    }),
    track: {
      number: track,
      of: Math.max(track, new Set(video.map((line) => /Stream #(\S+?)[:[(]/.exec(line)?.[1])).size),
    },
    transfer: transfer === 'iec61966-2-1' || codec === 'mjpeg' ? 'srgb' : 'bt709',
  };
  return { info, times };
}

/** Turn of a film as it is shown: by its matrix in MP4 and MOV, or by the turn that ffmpeg prints. */
async function displayIn(material: Material, track: number, lines: readonly string[]) {
  const [own] = displaysOf(material.name, await material.bytes()).slice(track - 1);
  if (own) return own;
  const degrees = lines.map((line) => /displaymatrix: rotation of (-?[\d.]+) degrees/.exec(line)?.[1]).find(Boolean);
  const turn = (((Math.round(-Number(degrees ?? 0)) % 360) + 360) % 360) as QuarterTurn;
  if (turn % 90 === 0) return { rotation: turn, isMirrored: false };
  throw new GradsimError('video/display-matrix', `${material.name} is shown turned by ${turn} degrees.`, {
    field: material.name,
    hint: 'Write it as it is shown, then use that film: `ffmpeg -i FILE -c:v libx264 -crf 12 shown.mp4`',
  });
}

const damaged = (name: string, frames: number, complaints: string): GradsimError =>
  new GradsimError(
    'video/file-damaged',
    `${name} cannot be read as a video by the program ffmpeg${frames > 0 ? ` beyond frame ${frames}` : ''}: ${plainText(damageReason(complaints === '' ? 'it finds no picture in it.' : complaints), 600)} The file may be cut short or damaged.`,
    { hint: 'Copy or export it again.' },
  );
