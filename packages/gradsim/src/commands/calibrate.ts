import { basename, relative, resolve } from 'node:path';
import type { Calibration, Camera, Lens } from '@gradsim/cameras';
import { calibrateLens, cameraOfLength, findPose, fittedTo, formatCamera, poseOverFloor } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import { filmFiles, inspectFilm } from '@gradsim/video';
import type { BoardOptions } from '../calibrate/board.ts';
import { boardOf, viewsIn } from '../calibrate/board.ts';
import { lensTable, poseLines, viewLines } from '../calibrate/lines.ts';
import { knownPoints } from '../calibrate/points.ts';
import { readCameraFile } from '../calibrate/read-camera-file.ts';
import { filmOf, sayTrack } from '../experiment/track.ts';
import { requireOutput, writeOutput } from '../run/folder.ts';
import { formatNumber } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of `gradsim calibrate`. */
export interface CalibrateCommandOptions extends BoardOptions {
  readonly lens: 'none' | 'radial' | 'full';
  readonly camera?: string;
  readonly track?: number;
  readonly floor?: string;
  readonly points?: string;
  readonly length?: number;
  readonly between?: readonly number[];
  readonly fieldOfView?: number;
  readonly format: 'gradsim' | 'opencv' | 'ros' | 'colmap' | 'transforms';
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Result of a calibration: a camera, and lines that state its accuracy. */
interface Found {
  readonly camera: Camera;
  readonly calibration?: Calibration;
  readonly lines: readonly string[];
}

/**
 * `gradsim calibrate`: a camera's lens from views of a checkerboard, its pose from a board on the floor or known
 * points, or metres a pixel from a known length; written as a camera file.
 * @throws before anything is written, for conflicting options, missing films, too few or too parallel views, and an
 * existing file.
 */
export async function calibrateCommand(
  files: readonly string[],
  options: CalibrateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { out, force = false, json = false, format, track } = options;
  if (track !== undefined && files.length === 0)
    throw new GradsimError(
      'gradsim/options-contradict',
      '--track says which video track of films is meant, and no film is named.',
    );
  const films = files.map((each) => filmOf(each, track)!);
  checkTogether(films, options);
  const file = resolve(out);
  requireOutput(file, '--out', force);
  const found = await placed(await lensOf(films, options, terminal), options);
  const text = formatCamera(found.camera, format);
  writeOutput(file, text);
  if (json) terminal.print(JSON.stringify(summary(found)));
  const say = json ? terminal.say : terminal.print;
  for (const line of found.lines) say(line);
  terminal.say(`Camera: ${relative('.', file)}`);
  return 0;
}

/** Checks the options. @throws unless they define exactly one task: a lens, a pose, or metres per pixel. */
function checkTogether(films: readonly string[], options: CalibrateCommandOptions): void {
  const { board, square, camera, floor, points, length, between, fieldOfView } = options;
  if (board !== undefined && square !== undefined) boardOf(options);
  if (length !== undefined || between !== undefined) {
    if (length === undefined || between === undefined)
      throw new GradsimError(
        'gradsim/option-missing',
        'A known length takes both --length METRES and --between X,Y,X,Y, its ends in pixels.',
      );
    if (floor !== undefined || points !== undefined)
      throw new GradsimError(
        'gradsim/options-contradict',
        '--length is for a plane that faces the camera; with --floor or --points the camera is where these say.',
      );
    if (films.length !== 1)
      throw new GradsimError(
        'gradsim/option-missing',
        'With --length, name the film or picture in which the length was measured.',
      );
    if (camera !== undefined && fieldOfView !== undefined)
      throw new GradsimError(
        'gradsim/options-contradict',
        '--camera says what the lens is, so --field-of-view is one too many.',
      );
    return;
  }
  if (films.length === 0 && camera === undefined)
    throw new GradsimError(
      'gradsim/option-missing',
      'Name films or pictures of a board (--board 9x6 --square 0.025), or a known lens with --camera FILE, or a known length with --length.',
    );
  if (films.length > 0 && camera !== undefined)
    throw new GradsimError(
      'gradsim/options-contradict',
      '--camera says what the lens is, so there are no films to find it from.',
      { hint: 'Leave out one of them.' },
    );
  if (camera !== undefined && floor === undefined && points === undefined)
    throw new GradsimError(
      'gradsim/option-missing',
      '--camera needs --floor PICTURE or --points FILE, to say where the camera is.',
    );
  if (floor !== undefined && points !== undefined)
    throw new GradsimError('gradsim/options-contradict', '--floor and --points both say where the camera is.', {
      hint: 'Give one of them.',
    });
  if ((films.length > 0 || floor !== undefined) && (board === undefined || square === undefined))
    throw new GradsimError(
      'gradsim/option-missing',
      'The board must be known: --board 9x6, its inner corners, where four squares meet, across and down, and --square 0.025, the side of a square in metres.',
    );
}

/** Lens from a file, from views of the board, or from the field of view. */
async function lensOf(films: readonly string[], options: CalibrateCommandOptions, terminal: Terminal): Promise<Found> {
  for (const film of films) {
    await filmFiles(film);
    await sayTrack(film, terminal);
  }
  if (options.length !== undefined) return ofLength(films[0], options);
  if (options.camera !== undefined) return { camera: await readCameraFile(options.camera), lines: [] };
  const board = boardOf(options);
  const { views, size, looked } = await viewsIn(films, board, options, terminal);
  terminal.say(`The board is found in ${views.length} of ${looked} pictures.`);
  const calibration = calibrateLens(views, size, { terms: options.lens });
  return {
    camera: calibration.camera,
    calibration,
    lines: [...lensTable(calibration.camera), ...viewLines(calibration)],
  };
}

/**
 * Assumed vertical field of view, degrees, if none is given; metres per pixel in the measured plane do not depend on
 * it.
 */
const USUAL_FIELD = 45;

async function ofLength(film: string, options: CalibrateCommandOptions): Promise<Found> {
  const { length = 0, between = [], fieldOfView, camera } = options;
  const { width, height } = await inspectFilm(film);
  const angle = ((fieldOfView ?? USUAL_FIELD) * Math.PI) / 180;
  if (!(angle > 0 && angle < Math.PI))
    throw new GradsimError('gradsim/option-wrong', `--field-of-view is ${fieldOfView}.`, {
      hint: 'It must be above 0 and below 180 degrees.',
    });
  const focal = height / 2 / Math.tan(angle / 2);
  const lens: Lens =
    camera === undefined
      ? {
          width,
          height,
          focalLength: [focal, focal],
          principalPoint: [(width - 1) / 2, (height - 1) / 2],
          distortion: [0, 0, 0, 0, 0],
        }
      : fittedTo(await readCameraFile(camera), { width, height });
  const [a, b, c, d] = between;
  if (![a, c].every((x) => x >= 0 && x <= width) || ![b, d].every((y) => y >= 0 && y <= height))
    throw new GradsimError(
      'gradsim/option-wrong',
      `--between is ${between.join(',')}, and ${film} has ${width} x ${height} pixels: both ends must be in the picture.`,
    );
  // Pixels here count from the corner of the picture, those of lenses from the middle of the first pixel.
  const found = cameraOfLength(
    lens,
    [
      [a - 0.5, b - 0.5],
      [c - 0.5, d - 0.5],
    ],
    length,
  );
  const isKnown = camera !== undefined || fieldOfView !== undefined;
  return {
    camera: found,
    lines: [
      `${formatNumber(found.metresPerPixel * 1000, 5)} mm a pixel on the plane`,
      isKnown
        ? `The plane is ${formatNumber(found.pose.translation[2], 4)} m away.`
        : `The lens is not known: with a field of view of ${USUAL_FIELD} degrees the plane is ${formatNumber(found.pose.translation[2], 4)} m away. On the plane that does not matter; give --field-of-view or --camera for what leaves it.`,
    ],
  };
}

/** Pose of the camera, from the board on the floor or from known points. */
async function placed(found: Found, options: CalibrateCommandOptions): Promise<Found> {
  const { floor, points } = options;
  if (floor === undefined && points === undefined) return found;
  if (points !== undefined) {
    const known = knownPoints(points);
    const pose = findPose(found.camera, known.points, known.pixels);
    return {
      ...found,
      camera: { ...found.camera, pose: pose.pose },
      lines: [...found.lines, `${basename(points)}: ${known.read}`, ...poseLines(pose)],
    };
  }
  await filmFiles(floor!);
  const board = boardOf(options);
  const { views, size } = await viewsIn([floor!], board, { ...options, pictures: 1 });
  if (views.length === 0)
    throw new GradsimError(
      'gradsim/board-not-found',
      `The board of ${options.board} inner corners is not found in ${floor}.`,
    );
  const camera = fittedTo(found.camera, size);
  const pose = poseOverFloor(camera, views[0]);
  const half =
    (board.columns + board.rows) % 2 === 0
      ? ['The board looks the same after half a turn, so x and z may both be the other way round.']
      : [];
  return {
    ...found,
    camera: { ...camera, pose: pose.pose },
    lines: [...found.lines, ...poseLines(pose), ...half],
  };
}

const summary = ({ camera, calibration }: Found) => ({
  ...camera,
  ...(calibration
    ? {
        views: calibration.views.map(({ name, rms }) => ({ name, rms })),
        leftOut: calibration.leftOut,
        tilt: calibration.tilt,
      }
    : {}),
});
