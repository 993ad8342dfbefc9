import { readTracks } from '@gradsim/video';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { openRecorded, readChosenTable } from '../../src/files/index.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const open = async (name: string, content: string | Uint8Array) =>
  (await openRecorded({ name, bytes: typeof content === 'string' ? bytesOf(content) : content }))!;

const property = (name: string, type: string, value: string | number): string =>
  `<property name="${name}" type="${type}">${value}</property>`;
const object = (name: string, content: string): string =>
  `<object class="org.opensourcephysics.${name}">\n${content}\n</object>`;
const points = (own: readonly (readonly [number, number, number])[]): string =>
  `<property name="framedata" type="array" class="[Lorg.opensourcephysics.cabrillo.tracker.PointMass$FrameData;">
${own.map(([n, x, y]) => property(`[${n}]`, 'object', object('cabrillo.tracker.PointMass$FrameData', property('x', 'double', x) + property('y', 'double', y)))).join('\n')}</property>`;
const axes = (n: number, [x, y, angle, scale]: readonly number[]): string =>
  property(
    `[${n}]`,
    'object',
    object(
      'media.core.ImageCoordSystem$FrameData',
      property('xorigin', 'double', x) +
        property('yorigin', 'double', y) +
        property('angle', 'double', angle) +
        property('xscale', 'double', scale) +
        property('yscale', 'double', scale),
    ),
  );

/** A project of two tracks, filmed at 120 frames a second, of which one is marked in every second frame. */
const project = ({ coords = axes(0, [100, 400, 0, 250]), isFixed = true, more = '' } = {}): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${object(
    'cabrillo.tracker.TrackerPanel',
    [
      property('videoclip', 'object', object('media.core.VideoClip', property('stepsize', 'int', 1))),
      property(
        'clipcontrol',
        'object',
        object('media.core.StepperClipControl', property('delta_t', 'double', 1000 / 120)),
      ),
      property(
        'coords',
        'object',
        object(
          'media.core.ImageCoordSystem',
          property('fixedorigin', 'boolean', String(isFixed)) +
            property('fixedangle', 'boolean', 'true') +
            property('fixedscale', 'boolean', 'true') +
            `<property name="framedata" type="array">${coords}</property>`,
        ),
      ),
      property('length_unit', 'string', 'm'),
      `<property name="tracks" type="collection" class="java.util.ArrayList">
${[
  object('cabrillo.tracker.CoordAxes', property('name', 'string', 'axes')),
  object(
    'cabrillo.tracker.PointMass',
    property('name', 'string', 'ball') +
      points([
        [4, 350, 150],
        [5, 351, 152.5],
        [6, 352, 157],
      ]),
  ),
  object(
    'cabrillo.tracker.PointMass',
    property('name', 'string', 'box &amp; lid') +
      points([
        [4, 100, 400],
        [6, 600, 400],
      ]),
  ),
]
  .map((own) => property('item', 'object', own))
  .join('\n')}</property>`,
      more,
    ].join('\n'),
  )}`;

describe('a project of Tracker', () => {
  it.each([
    ['.trk', () => bytesOf(project())],
    [
      '.trz',
      () => zipSync({ 'ball.mp4': new Uint8Array(5000), 'ball.trk': bytesOf(project()), 'notes.html': bytesOf('<p>') }),
    ],
  ])('gives tracks in pixels and in the units of its axes, of a %s', async (ending, content) => {
    const file = await open(`ball${ending}`, content());
    const table = await readChosenTable(file, { name: 'ball', holds: 'tracks' });
    const [ball, box] = readTracks(table);
    expect([ball.name, box.name]).toEqual(['ball', 'box & lid']);
    expect(ball.points.map(({ frame, x, y }) => [frame, x, y])).toEqual([
      [4, 350, 150],
      [5, 351, 152.5],
      [6, 352, 157],
    ]);
    expect(ball.points[1].time).toBeCloseTo(5 / 120, 12);
    expect(table.headings.map(({ title }) => title).slice(-2)).toEqual(['x_world [m]', 'y_world [m]']);
    // One metre right of the origin, one up.
    expect(table.rows[0].cells.slice(-2).map(Number)).toEqual([1, 1]);
    expect(file.remarks.join('\n')).toContain(
      '120 frames a second\nScale: 250 px are 1 m\nAxes: origin at 100, 400 px',
    );
  });

  it('turns by the angle of the axes, and moves with them where they move', async () => {
    const coords = axes(0, [100, 400, 90, 250]) + axes(6, [102, 400, 90, 250]);
    const table = await readChosenTable(await open('a.trk', project({ coords, isFixed: false })), {
      name: 'a',
      holds: 'tracks',
    });
    const at = (row: number): number[] =>
      table.rows[row].cells.slice(-2).map((cell) => Number(Number(cell).toFixed(12)));
    // x points up, y to the left.
    expect(at(0)).toEqual([1, -1]);
    expect(at(2)).toEqual([243 / 250, -1]);
  });

  it.each<[string, string, string]>([
    ['no number', project().replace('>351<', '>left<'), 'x is "left"'],
    ['a frame that is none', project().replace('name="[5]"', 'name="[5e9]"'), 'no number of a frame'],
    ['a scale of 0', project().replaceAll('>250<', '>0<'), 'the scale is 0, 0'],
    ['an entity', `<!DOCTYPE a [<!ENTITY b "c">]>${project()}`, 'a document type is refused'],
    ['text that is cut off', project().slice(0, -300), 'no well-formed XML'],
  ])('refuses %s, naming it', async (_, text, why) => {
    await expect(open('ball.trk', text)).rejects.toThrowCode('recordings/file-damaged');
    await expect(open('ball.trk', text)).rejects.toThrow(why);
  });

  it('refuses an archive that is cut off, without a project, or with one that is far too large', async () => {
    const whole = zipSync({ 'ball.trk': bytesOf(project()) });
    for (const cut of [30, 200, whole.length - 30])
      await expect(open('a.trz', whole.slice(0, cut))).rejects.toThrowCode('recordings/file-damaged');
    await expect(open('a.trz', zipSync({ 'a.txt': bytesOf('a') }))).rejects.toThrow('it has no project');
    const bomb = zipSync({ 'ball.trk': new Uint8Array(70_000_000) });
    await expect(open('a.trz', bomb)).rejects.toThrowCode('recordings/file-too-large');
  });
});

describe('an analysis of Kinovea', () => {
  const analysis = `<?xml version="1.0" encoding="utf-8"?>
<KinoveaVideoAnalysis>
  <FormatVersion>2.0</FormatVersion>
  <AverageTimeStampsPerFrame>427</AverageTimeStampsPerFrame>
  <CaptureFramerate>240</CaptureFramerate>
  <UserFramerate>29.97</UserFramerate>
  <FirstTimeStamp>1000</FirstTimeStamp>
  <Tracks>
    <Track id="a" name="Ball"><TimePosition>1000</TimePosition>
      <TrackPointList Count="3"><TrackPoint>10.5;20.25;1000</TrackPoint><TrackPoint>11;21;1427</TrackPoint><TrackPoint>12;22;2281</TrackPoint></TrackPointList>
    </Track>
  </Tracks>
</KinoveaVideoAnalysis>`;

  it('gives tracks by frames, at the rate of the camera', async () => {
    const table = await readChosenTable(await open('a.kva', analysis), { name: 'a', holds: 'tracks' });
    const [ball] = readTracks(table);
    expect(ball.name).toBe('Ball');
    expect(ball.points.map(({ frame, x }) => [frame, x])).toEqual([
      [0, 10.5],
      [1, 11],
      [3, 12],
    ]);
    expect(ball.points[2].time).toBeCloseTo(3 / 240, 12);
  });

  it('refuses a point that is none', async () => {
    await expect(open('a.kva', analysis.replace('11;21;1427', '11;21'))).rejects.toThrow('a point is "11;21"');
  });

  it('reads its export as text, whose times have hundredths after a colon', async () => {
    const text =
      '#Kinovea Trajectory data export\n#T X Y\n0:00:00:00 10,5 20,25\n0:00:00:04 11,5 21,0\n0:00:00:08 12,5 22,5\n';
    const [track] = readTracks(text, { frameRate: 25 });
    expect(track.points.map(({ frame, x }) => [frame, x])).toEqual([
      [0, 10.5],
      [1, 11.5],
      [2, 12.5],
    ]);
  });
});

describe('a file of Logger Pro', () => {
  const column = (name: string, unit: string, cells: readonly (number | string)[]): string =>
    `<DataColumn><ID>1</ID><DataObjectName>${name}</DataObjectName><ColumnUnits>${unit}</ColumnUnits><ColumnCells>\n${cells.join('\n')}\n</ColumnCells></DataColumn>`;
  const document = `<?xml version="1.0" encoding="UTF-8" ?><Document><DataSet><DataSetName>Run 1</DataSetName>${column('Time', 's', [0, 0.05, 0.1])}${column('X', 'm', [1, 'Z1 1:', 1.5])}</DataSet>
<DataSet><DataSetName>Empty</DataSetName></DataSet></Document>`;

  it('gives its data sets as tables, with units and gaps', async () => {
    const file = await open('lab.cmbl', document);
    expect(file.parts.map(({ name, description }) => [name, description])).toEqual([
      ['Run 1', '3 rows: Time [s], X [m]'],
    ]);
    const table = await readChosenTable(file, { name: 'lab', holds: 'columns' });
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['0', '1'],
      ['0.05', ''],
      ['0.1', '1.5'],
    ]);
    expect(table.headings[1].unit?.name).toBe('m');
  });

  it('reads its export as text', async () => {
    const text =
      'Vernier Format 2\nlab.cmbl 5/11/2010 14:31:12 .\nRun 1\nTime\tX\tY\nT\tX\tY\ns\tm\tm\n\n0\t1\t2\n0.05\t1.1\t2.1\n0.1\t1.2\t2.2\n';
    expect(() => readTracks(text, { frameRate: 20 })).toThrowCode('video/track-unit');
    const [track] = readTracks(text.replace('s\tm\tm', 's\tpx\tpx'), { frameRate: 20 });
    expect(track.points.map(({ frame, x }) => [frame, x])).toEqual([
      [0, 1],
      [1, 1.1],
      [2, 1.2],
    ]);
  });
});
