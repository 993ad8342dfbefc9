// What the page runs: it photographs a shot with three.js and posts the frames to where the page came from.
import { Exposure } from './exposure.ts';
import type { Photographs, Shot } from './shot.ts';
import { createRenderer, Studio } from './studio.ts';

function photograph(shot: Shot): Photographs {
  const renderer = createRenderer(shot.look.exposure);
  const studio = new Studio(shot);
  const exposure = new Exposure(renderer, shot.size);
  const length = 3 * shot.size * shot.size;
  const frames = new Uint8Array(shot.exposures.length * length);
  shot.exposures.forEach((poses, k) => {
    frames.set(exposure.photograph(studio, poses), k * length);
  });
  return { frames: base64(frames), plate: base64(exposure.photograph(studio, [null])) };
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  return btoa(text);
}

let photographs: Photographs;
try {
  photographs = photograph(JSON.parse(document.getElementById('question')!.textContent!));
} catch (error) {
  photographs = { error: String(error) };
}
await fetch('/report', { method: 'POST', body: JSON.stringify(photographs) });
