import { GradsimError } from '@gradsim/core';
import { inspectFilm } from '@gradsim/video';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Address of a film file with the number of its video track.
 * @throws for a track number without a film.
 */
export function filmOf(video: string | undefined, track: number | undefined): string | undefined {
  if (track === undefined) return video;
  if (video === undefined)
    throw new GradsimError('gradsim/option-missing', '--track says which video track of a film is meant.', {
      hint: 'Give the film with --video FILE.',
    });
  return `${video}#track=${track}`;
}

/**
 * Reports which track of a film is read, if it has several. Says nothing of a film that cannot be read: its reader will
 * refuse it.
 */
export async function sayTrack(film: string, terminal: Terminal): Promise<void> {
  const info = await inspectFilm(film).catch(() => undefined);
  if (!info?.track || info.track.of === 1) return;
  const { name, track, width, height, frameCount, codec } = info;
  terminal.say(
    `${name} has ${track.of} video tracks; track ${track.number} is read (${width} x ${height} pixels, ${frameCount} frames, ${codec}). --track N chooses another.`,
  );
}
