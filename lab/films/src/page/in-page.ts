// What the page runs: it photographs a shot with three.js and posts the frames to where the page came from.
import { answer, base64 } from '@gradsim/page/answer';
import { Random } from '../random.ts';
import type { Photographs, Shot } from '../shot.ts';
import { develop } from './develop.ts';
import { Exposure } from './exposure.ts';
import { createRenderer, Studio } from './studio.ts';

function photograph(shot: Shot): Photographs {
  const random = new Random(shot.look.seed);
  const exposure = new Exposure(createRenderer(), new Studio(shot), shot);
  const take = (frame: number | null): Uint8Array => develop(exposure.take(frame), shot.camera, shot.look, random);
  const frames = Array.from({ length: shot.frames }, (_, frame) => take(frame));
  const all = new Uint8Array(frames.length * frames[0].length);
  frames.forEach((frame, k) => {
    all.set(frame, k * frame.length);
  });
  return { frames: base64(all), plate: base64(take(null)) };
}

await answer(photograph);
