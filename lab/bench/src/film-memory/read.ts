// Reads a film for an estimate, and prints what that took, as JSON.
import { readFilm } from '@gradsim/film';

const said: string[] = [];
const began = performance.now();
const film = await readFilm(process.argv[2], { chroma: 'centre', log: (sentence) => said.push(sentence) });
process.stdout.write(
  JSON.stringify({
    seconds: (performance.now() - began) / 1000,
    peakMB: process.resourceUsage().maxRSS / 1000,
    read: { ...film.size, frames: film.count, reduction: film.reduction },
    trackedFrames: film.tracks[0].points.length,
    said,
  }),
);
