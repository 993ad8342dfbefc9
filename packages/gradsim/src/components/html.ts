/** A piece of HTML markup, made by {@link html}; plain strings are treated as text. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | readonly Part[];

/**
 * HTML from a template: inserted values are escaped unless they are {@link Html}.
 *
 * ```ts
 * html`<p>${'a < b'}</p>`.markup; // <p>a &lt; b</p>
 * ```
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((sum, text, k) => sum + toMarkup(parts[k - 1]) + text) };
}

/** Empty HTML. */
export const nothing: Html = { markup: '' };

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toMarkup(part: Part): string {
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(toMarkup).join('');
  return String(part).replace(/[&<>"']/g, (c) => ESCAPES[c]);
}
