import { basename } from 'node:path';
import { writeWhole } from '@gradsim/base/files';
import type { KindContext, MeasuredBy } from '@gradsim/kinds/define';
import { readMesh, tetrahedralise } from '@gradsim/mesh';
import type { Estimate, Stage } from '@gradsim/optim';
import { readTableFile } from '@gradsim/recordings/files';
import { formatSoftBody, readMarkers, type SoftBodyMarkersOptions, startedMarkers } from '@gradsim/recordings/markers';
import type { measures } from './measures.ts';

type Point = readonly [number, number, number];

/** Test for points that are held, by a text such as x<-0.099. */
function clampedPoints(text: string): (point: Point) => boolean {
  const [, axis, sign, limit] = /^\s*([xyz])\s*([<>])\s*(\S+)\s*$/.exec(text) ?? [];
  if (axis === undefined || !Number.isFinite(Number(limit)))
    throw new Error(`clamp is "${text}": it must be an axis, < or >, and a number of metres, as in x<-0.099.`);
  return (point) => (sign === '<' ? 1 : -1) * (point['xyz'.indexOf(axis)] - Number(limit)) < 0;
}

/** Places by name, from a text such as "tip 0 0 0.03; side 0 0.02 0". */
function placesOf(text: string): Record<string, Point> {
  const entries = text.split(';').map((part): [string, Point] => {
    const [name, ...numbers] = part.trim().split(/[\s,]+/);
    const [x, y, z] = numbers.map(Number);
    if (numbers.length !== 3 || ![x, y, z].every(Number.isFinite))
      throw new Error(`places has "${part.trim()}": it must be the name of a marker and three numbers, m.`);
    return [name, [x, y, z]];
  });
  return Object.fromEntries(entries);
}

/** Model, unknowns and observations. */
export async function stages(measured: MeasuredBy<typeof measures>, context: KindContext): Promise<Stage[]> {
  const { device, log, fileOf } = context;
  const { markers, clamp, places, clampMarkers, density, gravity, hand, load, loadAt, loadRadius } = measured;
  const { frameRate, modulus, law, poissonRatio, seconds, thread, loadOffset } = measured;
  const attached = { radius: loadRadius ?? undefined, thread: thread ?? undefined, offset: loadOffset ?? undefined };
  const given = { name: basename(markers), frameRate: frameRate ?? undefined };
  const recording = readMarkers(await readTableFile(fileOf(markers), 'columns'), given);
  log(`${recording.name}: ${recording.readingNotes}`);
  const surface = await readMesh(fileOf(measured.mesh));
  const extents = [0, 1, 2].map((c) => {
    const along = Array.from(surface.positions).filter((_, k) => k % 3 === c);
    return Math.max(...along) - Math.min(...along);
  });
  const mesh = tetrahedralise(surface, { cellSize: measured.cellSize ?? Math.min(...extents) });
  const held = {
    recording,
    frames: seconds === null ? recording.frames : Math.round(seconds * recording.frameRate),
    ...(load && loadAt && { load: { mass: load, position: loadAt as unknown as Point, ...attached } }),
  };
  const arm = law === 'arm' ? 0.2 : 0;
  const options: SoftBodyMarkersOptions = {
    mesh,
    density,
    isClamped: clampedPoints(clamp),
    places: placesOf(places),
    ...(clampMarkers === null ? {} : { clampMarkers: clampMarkers.trim().split(/[\s,;]+/) }),
    gravity: gravity as unknown as Point,
    handContactSeconds: hand,
    material: { youngsModulus: modulus, poissonRatio, dashpot: 2e-3, armRatio: arm, relaxationTime: 0.03 },
  };
  const { problem, bodyOf } = await startedMarkers([held], options, { device, log });
  const start = problem.parameters?.find(({ name }) => name === 'youngsModulus')?.initial;
  log(`${mesh.tets.length / 4} quadratic elements, searched from ${start?.toPrecision(3)} Pa`);
  const notes = async ({ parameters }: Estimate): Promise<string[]> => {
    if (measured.export === null) return [];
    writeWhole(fileOf(measured.export), formatSoftBody(bodyOf(parameters)));
    return [`MuJoCo's model of the body: ${measured.export}`];
  };
  return [{ name: 'markers', notes, problem: { ...problem, options: { search: { tolerance: 1e-3 } } } }];
}
