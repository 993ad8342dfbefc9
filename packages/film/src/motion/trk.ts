import type { FilmInfo } from '@gradsim/video';
import type { PlaneAxes } from './plane.ts';
import type { SeenPoint } from './points.ts';

/** Content of a project of the program Tracker. */
export interface TrackerProject extends PlaneAxes {
  /** Path of the film, from the folder of the project's file. */
  readonly film: string;
  readonly info: Pick<FilmInfo, 'width' | 'height' | 'frameCount'>;
  /** Rate at which the film was taken, frames/s. */
  readonly frameRate: number;
  readonly points: readonly SeenPoint[];
  /** Name of the point mass. */
  readonly name: string;
  /** Mass, kg. Default 1. */
  readonly mass?: number;
  /** Ends of the length that was marked, px, and the length, m: becomes a calibration stick. */
  readonly stick?: { readonly ends: readonly number[]; readonly length: number };
}

const TRACKER = 'org.opensourcephysics.cabrillo.tracker';
const MEDIA = 'org.opensourcephysics.media';

/** A property: of a number or a text, of an object, or of a list of them by index. */
type Content = string | readonly Element[];
interface Element {
  readonly tag: string;
  readonly content: Content;
}

const element = (tag: string, content: Content): Element => ({ tag, content });
const property = (name: string, type: string, content: Content, of = ''): Element =>
  element(`property name="${name}" type="${type}"${of && ` class="${of}"`}`, content);
const number = (name: string, value: number): Element => property(name, 'double', String(value));
const wholeNumberElement = (name: string, value: number): Element => property(name, 'int', String(value));
const text = (name: string, value: string): Element => property(name, 'string', escaped(value));
const object = (name: string, of: string, content: readonly Element[]): Element =>
  property(name, 'object', [element(`object class="${of}"`, content)]);
/** An array of data by frame. */
const byFrame = (of: string, frames: readonly (readonly [frame: number, content: readonly Element[]])[]): Element =>
  property(
    'framedata',
    'array',
    frames.map(([frame, content]) => object(`[${frame}]`, `${of}$FrameData`, content)),
    `[L${of}$FrameData;`,
  );

/**
 * A project of Tracker (physlets.org/tracker), as XML: the film, axes and scale, a calibration stick, and the points as a
 * point mass. Places are in pixels of the picture from its upper left corner, as there.
 *
 * ```ts
 * await writeFile('ball.trk', trackerProject({ film: 'ball.mp4', info, frameRate: 30, points, name: 'ball', ...axes }));
 * ```
 */
export function trackerProject(project: TrackerProject): string {
  const { film, info, frameRate, points, name, mass = 1, stick, pixelsPerMetre, origin, angle } = project;
  const coords = `${MEDIA}.core.ImageCoordSystem`;
  const [tape, particle] = [`${TRACKER}.TapeMeasure`, `${TRACKER}.PointMass`];
  const axes = [
    number('xorigin', origin[0]),
    number('yorigin', origin[1]),
    number('angle', angle),
    number('xscale', pixelsPerMetre),
    number('yscale', pixelsPerMetre),
  ];
  const panel = [
    text('semantic_version', '5.1.5'),
    number('width', info.width),
    number('height', info.height),
    object('videoclip', `${MEDIA}.core.VideoClip`, [
      object('video', `${MEDIA}.xuggle.XuggleVideo`, [text('path', film)]),
      wholeNumberElement('video_framecount', info.frameCount),
      wholeNumberElement('startframe', points[0].frame),
      wholeNumberElement('stepsize', 1),
      wholeNumberElement('stepcount', points[points.length - 1].frame - points[0].frame + 1),
      number('starttime', 0),
    ]),
    object('clipcontrol', `${MEDIA}.core.StepperClipControl`, [number('delta_t', 1000 / frameRate)]),
    object('coords', coords, [
      ...['fixedorigin', 'fixedangle', 'fixedscale'].map((fixed) => property(fixed, 'boolean', 'true')),
      byFrame(coords, [[0, axes]]),
    ]),
    text('length_unit', 'm'),
    text('mass_unit', 'kg'),
    property(
      'tracks',
      'collection',
      [
        object('item', `${TRACKER}.CoordAxes`, [text('name', 'axes')]),
        ...(stick
          ? [
              object('item', tape, [
                text('name', 'calibration stick'),
                property('fixedtape', 'boolean', 'true'),
                property('stickmode', 'boolean', 'true'),
                byFrame(tape, [[0, stick.ends.map((at, k) => number(['x1', 'y1', 'x2', 'y2'][k], at))]]),
                property('worldlengths', 'array', [number('[0]', stick.length)], '[Ljava.lang.Double;'),
              ]),
            ]
          : []),
        object('item', particle, [
          number('mass', mass),
          text('name', name),
          byFrame(
            particle,
            points.map(({ frame, x, y }) => [frame, [number('x', x), number('y', y)]]),
          ),
        ]),
      ],
      'java.util.ArrayList',
    ),
  ];
  const root = element(`object class="${TRACKER}.TrackerPanel"`, panel);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlLines(root, '').join('\n')}\n`;
}

function xmlLines({ tag, content }: Element, indent: string): string[] {
  const end = `</${tag.split(' ')[0]}>`;
  if (typeof content === 'string') return [`${indent}<${tag}>${content}${end}`];
  return [`${indent}<${tag}>`, ...content.flatMap((own) => xmlLines(own, `${indent}  `)), `${indent}${end}`];
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (value: string): string => value.replace(/[&<>]/g, (sign) => ESCAPES[sign]);
