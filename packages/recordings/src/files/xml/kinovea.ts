import { tableOf } from '@gradsim/base/tables';
import { damagedFile } from '../faults.ts';
import type { FileToOpen, RecordedFile } from '../recorded.ts';
import { childOf, descendantsNamed, numberOf, rootOf } from './document.ts';

const FORMAT = "Kinovea's analysis";

/**
 * Opens an analysis of Kinovea, `.kva`: its trajectories, px. Points have absolute time stamps in units of the film; between
 * two points whole frames pass.
 */
export async function openKinovea({ name, bytes }: FileToOpen): Promise<RecordedFile> {
  const root = rootOf(bytes, name, FORMAT);
  const number = (key: string): number | undefined => numberOf(childOf(root, key)?.text);
  const step = number('AverageTimeStampsPerFrame');
  if (step === undefined || !(step > 0))
    throw damagedFile(name, FORMAT, `AverageTimeStampsPerFrame is ${step ?? 'absent'}`);
  // The rate at which it was taken; the film may play at another.
  const rate = number('CaptureFramerate');
  if (rate !== undefined && !(rate > 0)) throw damagedFile(name, FORMAT, `CaptureFramerate is ${rate}`);
  const first = number('FirstTimeStamp') ?? 0;
  const tracks = descendantsNamed(root, 'Track').map((track, t) => {
    const points = descendantsNamed(track, 'TrackPoint').map(({ text, line }) => {
      const [x, y, stamp] = text.split(';').map(numberOf);
      if (x === undefined || y === undefined || stamp === undefined)
        throw damagedFile(name, FORMAT, `line ${line}: a point is "${text.slice(0, 40)}"`);
      return { x, y, stamp };
    });
    const label = childOf(track, 'MainLabel')?.attributes.get('Text');
    return { name: track.attributes.get('name') || label || `track ${t + 1}`, points };
  });
  const rows = tracks.flatMap(({ name: track, points }) => {
    let frame = Math.max(0, Math.round(((points[0]?.stamp ?? first) - first) / step));
    return points.map(({ x, y, stamp }, k) => {
      if (k > 0) frame += Math.round((stamp - points[k - 1].stamp) / step);
      return [track, frame, ...(rate === undefined ? [] : [frame / rate]), x, y];
    });
  });
  return {
    format: 'kinovea',
    title: 'An analysis of Kinovea',
    partName: 'analysis',
    parts: [
      {
        name: 'tracks',
        description: `${tracks.length} tracks, ${rows.length} points`,
        rowContent: 'tracks',
        table: async () =>
          tableOf(['track', 'frame', ...(rate === undefined ? [] : ['time']), 'x', 'y'], rows, { name }),
      },
    ],
    remarks: [
      rate === undefined
        ? 'It does not say how many frames a second.'
        : `${Number(rate.toPrecision(6))} frames a second, at which it was taken`,
      'Its calibration is not read: tracks are in pixels.',
    ],
  };
}
