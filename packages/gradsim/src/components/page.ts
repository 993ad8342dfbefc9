import { type Html, html, nothing } from './html.ts';

/** Script within a page, and its SHA-256 in base64, by which the page's policy allows it. */
export interface PageScript {
  readonly text: string;
  readonly sha256: string;
}

/** Content of an HTML page in one file, which loads nothing from outside. */
export interface PageContent {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
  readonly scripts?: readonly PageScript[];
  /** Scripts that frames within the page may run too; with any, frames show pages within it or stored beside it. */
  readonly scriptsOfFrames?: readonly PageScript[];
  /** Interval at which the page reloads itself, s. */
  readonly refresh?: number;
}

/** HTML tag that marks pages as written by gradsim. */
export const MARK_OF_PAGES = '<meta name="generator" content="gradsim">';

/** HTML of a page with a policy that allows its own content alone. */
export function htmlPage({ title, style, body, scripts = [], scriptsOfFrames = [], refresh }: PageContent): string {
  const hashes = [...scripts, ...scriptsOfFrames].map(({ sha256 }) => ` 'sha256-${sha256}'`);
  const policy = [
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    ...(hashes.length > 0 ? [`script-src${hashes.join('')}`] : []),
    ...(scriptsOfFrames.length > 0 ? ["frame-src 'self' file:"] : []),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ markup: MARK_OF_PAGES }}
${refresh === undefined ? nothing : html`<meta http-equiv="refresh" content="${refresh}">`}
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>${body}${scripts.map(({ text }) => html`<script>${{ markup: text }}</script>`)}</body>
</html>
`.markup;
}
