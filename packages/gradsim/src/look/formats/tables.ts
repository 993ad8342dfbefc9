import { basename } from 'node:path';
import {
  evenSteps,
  isAbsent,
  readClock,
  readTable,
  type Table,
  type TableInput,
  timeHeading,
} from '@gradsim/base/tables';
import { isGradsimError } from '@gradsim/core';
import { readMarkers } from '@gradsim/recordings/markers';
import { readPoses } from '@gradsim/recordings/poses';
import { loggedJoints } from '@gradsim/robots';
import { readTracks } from '@gradsim/video';
import type { FileDescription, LookedFile } from './format.ts';

/** Frames per second that stand for those that a table does not say. */
const ASSUMED = 100;
/** Samples a second of a log of joints, at least, in a unit of time that nothing names. */
const LEAST_SAMPLES = 10;
/** Codes of refusals that say that a table is of another kind. */
const OTHER_KIND = /\/(?:\w+-)*column-missing$|\/no-points$|\/track-unit$/;

/** A table of text: poses, markers, tracks, known points or a log of joints, whichever its columns are of. */
export async function describeTableFile({ path, bytes }: LookedFile): Promise<FileDescription> {
  const table = readTable(bytes(), { name: basename(path) });
  return { ...describeTable(path, table), table };
}

/** A table, by its columns; `path` names it in commands, and `reading` in programs. */
export function describeTable(path: string, table: Table, reading = `readFile('${path}')`): FileDescription {
  const kinds: readonly (() => FileDescription | undefined)[] = [
    () => pointsOf(path, table),
    () => posesOf(path, table),
    () => markersOf(path, table),
    () => jointsOf(path, table),
    () => tracksOf(table, reading),
  ];
  let problem: unknown;
  for (const describe of kinds)
    try {
      const described = describe();
      if (described) return described;
    } catch (error) {
      if (!isGradsimError(error)) throw error;
      // A table of this kind with something wrong in it is described by what is wrong.
      if (!OTHER_KIND.test(error.code)) problem ??= error;
    }
  if (problem) throw problem;
  const titles = table.headings.map(({ title }) => title).slice(0, 20);
  return {
    format: 'table',
    lines: [
      `A table of ${table.rows.length} rows: ${titles.join(', ') || 'no line that names columns'}`,
      'Its columns are those of no kind: poses (time, x, y, z, qx, qy, qz, qw), markers (frame, marker, x, y, z), a log of joints (time, pos1, tau1), tracks (frame, x, y) or known points (px, py, x, y, z).',
    ],
    next: [],
  };
}

/** Markers of a motion capture, of a table or a C3D. */
export async function describeMarkers(file: LookedFile): Promise<FileDescription> {
  return markersOf(file.path, file.bytes());
}

/** Reads what a table holds, at an assumed rate if it says none. */
function atRate<T>(read: (options: { readonly frameRate?: number }) => T): {
  readonly value: T;
  readonly isTimed: boolean;
} {
  try {
    return { value: read({}), isTimed: true };
  } catch (error) {
    if (!isGradsimError(error) || !error.code.endsWith('/frame-rate-missing')) throw error;
    return { value: read({ frameRate: ASSUMED }), isTimed: false };
  }
}

/** Decisions about a table, without the rate that was assumed; and the setting that gives it. */
const withRate = (isTimed: boolean, read = ''): string =>
  isTimed ? read : read.replace(/\d+ frames a second/, 'it does not say how many frames a second');
const setRate = (isTimed: boolean): string => (isTimed ? '' : ' --set frameRate=RATE');

function pointsOf(path: string, { headings, rows }: Table): FileDescription | undefined {
  const names = headings.map(({ name }) => name);
  if (!['px', 'py', 'x', 'y', 'z'].every((name) => names.includes(name))) return undefined;
  return {
    format: 'points',
    lines: [`Known points, where they are and where they are seen: ${rows.length}`],
    next: [`npx gradsim calibrate --camera CAMERA --points ${path}`],
  };
}

function posesOf(path: string, table: Table): FileDescription {
  const { value: bodies, isTimed } = atRate((options) => readPoses(table, { name: basename(path), ...options }));
  const counts = bodies.map(({ name, poses }) => `${name}: ${poses.filter((pose) => pose).length} poses`);
  return {
    format: 'poses',
    lines: [
      `Poses of ${bodies.length > 1 ? `${bodies.length} bodies` : 'a body'}: ${withRate(isTimed, bodies[0].readingNotes)}`,
      ...counts,
    ],
    next: [
      `npx gradsim new body --poses ${path} --set mass=KG --set size=X,Y,Z${setRate(isTimed)}${bodies.length > 1 ? ' --set body=NAME' : ''}`,
    ],
  };
}

function markersOf(path: string, input: TableInput): FileDescription {
  const { value, isTimed } = atRate((options) => readMarkers(input, { name: basename(path), ...options }));
  const { markers, frames, readingNotes } = value;
  return {
    format: 'markers',
    lines: [
      `${markers.length} markers in ${frames} frames: ${withRate(isTimed, readingNotes)}`,
      `Markers: ${markers.join(', ')}`,
    ],
    next: [
      `npx gradsim new markers --markers ${path} --mesh SHAPE.stl --clamp "x<-0.1" --set places="NAME X Y Z; ..." --set density=KG_M3${setRate(isTimed)}`,
    ],
  };
}

function jointsOf(path: string, table: Table): FileDescription | undefined {
  const joints = loggedJoints(table);
  const time = timeHeading(table);
  if (joints.length === 0 || !time) return undefined;
  const { remark: clock } = readClock(table, time, { minRowsPerSecond: LEAST_SAMPLES });
  const remark = table.source === undefined ? clock : `${table.source}, ${clock}`;
  return {
    format: 'joints',
    lines: [`A log of joints, ${table.rows.length} samples, ${remark}: ${joints.join(', ')}`],
    next: [`npx gradsim new robot --model ROBOT.urdf --log ${path} --hold-out OTHER.csv`],
  };
}

/** Rate at which the times of a table lie, frames a second; undefined without times, or with uneven ones. */
function rateOf(table: Table): number | undefined {
  const time = timeHeading(table);
  const rows = time ? table.rows.filter(({ cells }) => !isAbsent(cells[time.column] ?? '')) : [];
  if (!time || rows.length === 0) return undefined;
  const { seconds, resolution } = readClock(table, time, { rows });
  // Tracks may follow one another, each with the same times.
  const steps = evenSteps(
    [...new Set(seconds)].sort((a, b) => a - b),
    resolution,
  );
  return steps && Number((1 / steps.step).toPrecision(4));
}

function tracksOf(table: Table, reading: string): FileDescription | undefined {
  // Positions in space are none in a picture.
  if (table.headings.some(({ name }) => name === 'z')) return undefined;
  const frameRate = rateOf(table);
  const tracks = readTracks(table, { name: table.name, frameRate: frameRate ?? ASSUMED });
  return {
    format: 'tracks',
    lines: [
      `Tracks in a film, px, ${table.rows.length} rows${frameRate === undefined ? '' : `, ${frameRate} frames a second`}`,
      ...tracks
        .slice(0, 20)
        .map(
          ({ name, points }) =>
            `${name}: ${points.length} points, frames ${points[0].frame} to ${points.at(-1)!.frame}`,
        ),
    ],
    next: [
      `In a program: readTracks(await ${reading}, { frameRate${frameRate === undefined ? '' : `: ${frameRate}`} })`,
    ],
  };
}
