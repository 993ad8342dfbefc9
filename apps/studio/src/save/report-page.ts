import { html, htmlPage } from '../../../../packages/gradsim/src/components/index.ts';
import { pictureOf } from '../film/picture.ts';
import type { Pictures } from '../work/film-messages.ts';

/** Number of frames that the report shows, spread over the film. */
const FRAMES = 6;

/**
 * The answer as one HTML file without scripts: what is on the page, with charts as pictures, and frames of the film.
 * @param answer the page's element that shows the answer.
 */
export function reportPage(answer: Element, title: string, pictures: Pictures): string {
  const copy = answer.cloneNode(true) as Element;
  const drawn = [...answer.querySelectorAll('canvas')];
  for (const [k, canvas] of [...copy.querySelectorAll('canvas')].entries()) {
    const picture = document.createElement('img');
    picture.src = drawn[k].toDataURL('image/png');
    const label = drawn[k].getAttribute('aria-label') ?? drawn[k].closest('[aria-label]')?.getAttribute('aria-label');
    picture.alt = label ?? '';
    picture.style.width = '100%';
    canvas.replaceWith(picture);
  }
  for (const useless of copy.querySelectorAll(
    'button, .controls, .zoom-buttons, .downloads, .loupe, .formulas, .read-off',
  ))
    useless.remove();
  const film = framesOf(pictures).map(
    ({ frame, url }) =>
      html`<figure><img src="${url}" alt="Frame ${frame}"><figcaption>Frame ${frame}</figcaption></figure>`,
  );
  return htmlPage({
    title,
    style: `${rulesOfPage()}
.frames { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; }
.frames figure { margin: 0; }
.frames img { width: 100%; }
`,
    body: html`<header><h1>${title}</h1></header><main>
${{ markup: copy.outerHTML }}
<h2>The film</h2>
<div class="frames">${film}</div>
</main>`,
  });
}

/** Style sheets of this page as text. */
export const rulesOfPage = (): string =>
  [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n');

function framesOf(pictures: Pictures): { readonly frame: number; readonly url: string }[] {
  const { first, width, height, count } = pictures;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  return Array.from({ length: Math.min(FRAMES, count) }, (_, k) => {
    const frame = first + Math.round((k * (count - 1)) / Math.max(1, Math.min(FRAMES, count) - 1));
    canvas.getContext('2d')!.putImageData(pictureOf(pictures, frame), 0, 0);
    return { frame, url: canvas.toDataURL('image/jpeg', 0.8) };
  });
}
