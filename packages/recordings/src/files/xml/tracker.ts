import { tableOf } from '@gradsim/base/tables';
import type { XmlElement } from '@gradsim/base/xml';
import { damagedFile, MOST_ROWS, tooLarge } from '../faults.ts';
import type { FileToOpen, RecordedFile, RecordedPart } from '../recorded.ts';
import { MAX_XML_BYTES, numberOf, rootOf } from './document.ts';
import { unzipSync } from './zip-library.ts';

/*
 * Source of the format: Open Source Physics, org.opensourcephysics.media.core (ImageCoordSystem, VideoClip, StepperClipControl)
 * and cabrillo.tracker (PointMass), whose classes name the elements.
 */

const FORMAT = "Tracker's project";
/** Video frames that a project may have: hours at a thousand a second. */
const MAX_FRAME_NUMBER = 20_000_000;

/** Axes of a project in a frame: world coordinates of a point of the picture. */
interface Axes {
  readonly frame: number;
  /** px from the left and upper edge. */
  readonly origin: readonly [number, number];
  /** From the picture's x axis, counter-clockwise, degrees. */
  readonly angle: number;
  /** px per unit of length, along x and y. */
  readonly scale: readonly [number, number];
}

/** A track: its points by frames, px. */
interface Track {
  readonly name: string;
  readonly points: readonly { readonly frame: number; readonly x: number; readonly y: number }[];
}

/** Opens a project of Tracker, `.trk`, or the archive with its film, `.trz`. */
export async function openTracker({ name, bytes }: FileToOpen): Promise<RecordedFile> {
  const isArchive = bytes[0] === 0x50;
  const projects = isArchive ? unpackProjects(name, bytes) : [{ name: 'tracks', content: bytes }];
  const read = projects.map((own) => projectOf(isArchive ? `${name}, ${own.name}` : name, own.name, own.content));
  return {
    format: 'tracker',
    title: 'A project of Tracker',
    partName: 'project',
    parts: read.map(({ part }) => part),
    remarks: read.flatMap(({ remarks }) => (read.length > 1 ? [] : remarks)),
  };
}

/** Projects in an archive; the film beside them stays packed. */
function unpackProjects(name: string, bytes: Uint8Array): { readonly name: string; readonly content: Uint8Array }[] {
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, {
      filter: ({ name: own, originalSize, size }) => {
        if (!/\.trk$/i.test(own)) return false;
        if (Math.max(originalSize, size) > MAX_XML_BYTES)
          throw tooLarge(name, `${own} of ${Math.round(originalSize / 1e6)} MB`);
        return true;
      },
    });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'recordings/file-too-large') throw error;
    throw damagedFile(name, "Tracker's archive", error);
  }
  const found = Object.entries(files).map(([own, content]) => ({ name: own, content }));
  if (found.length === 0) throw damagedFile(name, "Tracker's archive", 'it has no project, whose name ends in .trk');
  return found;
}

function projectOf(
  name: string,
  called: string,
  bytes: Uint8Array,
): { readonly part: RecordedPart; readonly remarks: readonly string[] } {
  const panel = panelOf(rootOf(bytes, name, FORMAT));
  if (!panel) throw damagedFile(name, FORMAT, 'it has no TrackerPanel');
  const step = numberOf(property(objectIn(panel, 'clipcontrol'), 'delta_t')?.text);
  if (step !== undefined && !(step > 0)) throw damagedFile(name, FORMAT, `delta_t is ${step} ms`);
  const axes = axesOf(panel, name);
  const unit = property(panel, 'length_unit')?.text || 'm';
  const isScaled = axes.some(({ scale }) => scale[0] !== 1 || scale[1] !== 1);
  const tracks = tracksOf(panel, name);
  const count = tracks.reduce((sum, { points }) => sum + points.length, 0);
  if (count > MOST_ROWS) throw tooLarge(name, `${count} points`);
  const rows = tracks.flatMap(({ name: track, points }) =>
    points.map(({ frame, x, y }) => [
      track,
      frame,
      ...(step === undefined ? [] : [(frame * step) / 1000]),
      x,
      y,
      ...(isScaled ? worldOf(axes.findLast((own) => own.frame <= frame) ?? axes[0], x, y) : []),
    ]),
  );
  const titles = [
    ...['track', 'frame', ...(step === undefined ? [] : ['time']), 'x', 'y'],
    ...(isScaled ? [`x_world [${unit}]`, `y_world [${unit}]`] : []),
  ];
  const part: RecordedPart = {
    name: called,
    description: `${tracks.length} tracks, ${count} points`,
    rowContent: 'tracks',
    table: async () => tableOf(titles, rows, { name }),
  };
  return { part, remarks: calibrationOf(step, axes, isScaled, unit) };
}

/** Sentences on frame rate, scale, origin and angle. */
function calibrationOf(step: number | undefined, axes: readonly Axes[], isScaled: boolean, unit: string): string[] {
  const [{ origin, angle, scale }] = axes;
  const short = (x: number): number => Number(x.toPrecision(6));
  const scales = scale[0] === scale[1] ? short(scale[0]) : `${short(scale[0])} across, ${short(scale[1])} down`;
  return [
    step === undefined ? 'It does not say how many frames a second.' : `${short(1000 / step)} frames a second`,
    isScaled ? `Scale: ${scales} px are 1 ${unit}` : 'It has no scale: tracks are in pixels alone.',
    `Axes: origin at ${short(origin[0])}, ${short(origin[1])} px, turned by ${short(angle)} degrees`,
    ...(axes.length > 1 ? [`Axes change in ${axes.length} frames; the first are said here.`] : []),
  ];
}

/** World coordinates of a point of the picture; y points up where the angle is 0. */
function worldOf({ origin, angle, scale }: Axes, x: number, y: number): number[] {
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [u, v] = [(x - origin[0]) / scale[0], (y - origin[1]) / scale[1]];
  return [c * u - s * v, -s * u - c * v];
}

/** Property of an object, by its name. */
const property = (object: XmlElement | undefined, name: string): XmlElement | undefined =>
  object?.children.find((child) => child.name === 'property' && child.attributes.get('name') === name);

/** Object that a property holds. */
const objectIn = (object: XmlElement | undefined, name: string): XmlElement | undefined =>
  property(object, name)?.children.find((child) => child.name === 'object');

const classOf = (object: XmlElement): string => (object.attributes.get('class') ?? '').replace(/^.*[.$]/, '');

/** The panel of a document: its root, or the first within it. */
function panelOf(element: XmlElement): XmlElement | undefined {
  if (element.name === 'object' && classOf(element) === 'TrackerPanel') return element;
  for (const child of element.children) {
    const found = panelOf(child);
    if (found) return found;
  }
  return undefined;
}

/** Items of an array, by their numbers: `[3]`. @throws for a number that is none of a frame. */
function itemsOf(array: XmlElement | undefined, name: string): { readonly frame: number; readonly item: XmlElement }[] {
  return (array?.children ?? []).flatMap((child) => {
    const item = child.children.find((own) => own.name === 'object');
    if (!item) return [];
    const [, digits] = /^\[(\d+)\]$/.exec(child.attributes.get('name') ?? '') ?? [];
    const frame = Number(digits);
    if (frame <= MAX_FRAME_NUMBER) return [{ frame, item }];
    throw damagedFile(name, FORMAT, `line ${child.line}: "${child.attributes.get('name')}" is no number of a frame`);
  });
}

/** Number of an object. @throws for one that is absent, or no number. */
function requiredNumber(object: XmlElement, key: string, name: string): number {
  const text = property(object, key)?.text;
  const value = numberOf(text);
  if (value !== undefined) return value;
  throw damagedFile(
    name,
    FORMAT,
    `line ${object.line}: ${key} is ${text === undefined ? 'absent' : `"${text.slice(0, 40)}"`}`,
  );
}

function axesOf(panel: XmlElement, name: string): Axes[] {
  const found = itemsOf(property(objectIn(panel, 'coords'), 'framedata'), name).map(({ frame, item }): Axes => {
    const of = (key: string): number => requiredNumber(item, key, name);
    const scale = [of('xscale'), of('yscale')] as const;
    if (!scale.every((own) => own > 0))
      throw damagedFile(name, FORMAT, `line ${item.line}: the scale is ${scale.join(', ')}`);
    return { frame, origin: [of('xorigin'), of('yorigin')], angle: of('angle'), scale };
  });
  const isFixed = ['fixedorigin', 'fixedangle', 'fixedscale'].every(
    (key) => property(objectIn(panel, 'coords'), key)?.text !== 'false',
  );
  if (found.length === 0) return [{ frame: 0, origin: [0, 0], angle: 0, scale: [1, 1] }];
  return isFixed ? [found[0]] : found.sort((a, b) => a.frame - b.frame);
}

function tracksOf(panel: XmlElement, name: string): Track[] {
  return (property(panel, 'tracks')?.children ?? []).flatMap((item): Track[] => {
    const object = item.children.find((child) => child.name === 'object');
    if (!object || classOf(object) !== 'PointMass') return [];
    const points = itemsOf(property(object, 'framedata'), name)
      .map(({ frame, item: own }) => ({ frame, x: requiredNumber(own, 'x', name), y: requiredNumber(own, 'y', name) }))
      .sort((a, b) => a.frame - b.frame);
    return [{ name: property(object, 'name')?.text ?? 'track', points }];
  });
}
