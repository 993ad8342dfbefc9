import { basename } from 'node:path';
import { html, htmlPage } from '../components/index.ts';
import { courseSection, trackFacts } from '../track/sections.ts';
import type { TrackResult } from '../track/tables.ts';
import { reportStyle } from './assets.ts';

/** HTML page on the motion of something in a film, as one self-contained file. */
export function trackPage(result: TrackResult): string {
  const title = basename(result.film);
  return htmlPage({
    title,
    style: reportStyle(),
    body: html`<main>
<h1>${title}</h1>
${trackFacts(result)}
${courseSection(result)}
</main>`,
  });
}
