// What the page runs: it photographs a shot with three.js and posts the frames to where the page came from.
import { answer, base64 } from '@gradsim/page/answer';
import { Exposure } from './exposure.ts';
import type { Photographs, Shot } from './shot.ts';
import { createRenderer, Studio } from './studio.ts';

function photograph(shot: Shot): Photographs {
  const renderer = createRenderer(shot.look);
  const studio = new Studio(shot);
  const exposure = new Exposure(renderer, shot.size);
  const length = 3 * shot.size * shot.size;
  const frames = new Uint8Array(shot.exposures.length * length);
  shot.exposures.forEach((poses, k) => {
    frames.set(exposure.photograph(studio, poses), k * length);
  });
  return { frames: base64(frames), plate: base64(exposure.photograph(studio, [null])) };
}

await answer(photograph);
