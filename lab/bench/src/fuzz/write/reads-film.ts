// Reads a film in a process with a PATH of its own, and prints what came of it as JSON: [path, track, patience].
import { isGradsimError } from '@gradsim/core';
import { inspectFilm, readFrames } from '@gradsim/video';

const [film, track, patience] = process.argv.slice(2);
const options = { patience: Number(patience), ...(track === '' ? {} : { track: Number(track) }) };
try {
  const info = await inspectFilm(film, options);
  const { width, height, data, frameRate } = await readFrames(film, { ...options, channels: 1 });
  process.stdout.write(
    JSON.stringify({
      width,
      height,
      frameRate,
      track: info.track,
      count: data.length / width / height,
      grey: data[0],
    }),
  );
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stdout.write(JSON.stringify({ refused: message, isMeant: isGradsimError(error) }));
}
