import { GradsimError, isGradsimError } from '@gradsim/core';
import type { Element as DomElement } from '@xmldom/xmldom';
import { DOMParser } from '@xmldom/xmldom';
import { Element } from './element.ts';

/** Maximum nesting of elements: enough for a chain of a hundred links; more would exhaust the stack. */
const DEEPEST = 400;

/**
 * The root of an XML document.
 * @throws GradsimError for what is not well formed, for a document type, whose entities could expand without end, and for
 * elements nested too deep.
 */
export function parseXml(text: string, file: string): Element {
  const plain = text.replace(/^\uFEFF/, '');
  refuseDoctype(plain, file);
  refuseDepth(plain, file);
  const refuse = (message: string, line: unknown): never => {
    const place = typeof line === 'number' && line > 0 ? `${file}, line ${line}` : file;
    const [sentence] = message.replace(/^(?:\[xmldom \w+\]|element parse error:|Error:|\s)+/, '').split('\n');
    throw new GradsimError('robots/not-xml', `${place}: this is no well-formed XML: ${sentence.replace(/\.$/, '')}.`);
  };
  let firstFault: { readonly message: string; readonly line: unknown } | undefined;
  const parser = new DOMParser({
    onError: (_, message, { locator }: { locator?: { lineNumber?: number } }) => {
      firstFault ??= { message, line: locator?.lineNumber };
      throw new Error(message);
    },
  });
  try {
    const { documentElement } = parser.parseFromString(plain, 'application/xml');
    if (documentElement !== null && !firstFault) {
      refuseDeep(documentElement, file);
      return wrap(documentElement, file);
    }
  } catch (error) {
    if (isGradsimError(error)) throw error;
    firstFault ??= { message: error instanceof Error ? error.message : String(error), line: undefined };
  }
  return refuse(firstFault?.message ?? 'it has no element', firstFault?.line);
}

function refuseDoctype(text: string, file: string): void {
  const at = text.search(/<!(?:DOCTYPE|ENTITY)/i);
  if (at < 0) return;
  const line = text.slice(0, at).split('\n').length;
  throw new GradsimError(
    'robots/not-xml',
    `${file}, line ${line}: a document type is refused, since its entities could expand without end.`,
    { hint: 'Remove <!DOCTYPE ...>.' },
  );
}

/** Comments, sections of characters, and tags with attributes that may hold > and /. Takes linear time. */
const TAGS =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\/?[^\s<>"'!?/][^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/g;

/** Before the parser runs, whose time for namespaces is in proportion to the square of the depth. */
function refuseDepth(text: string, file: string): void {
  let depth = 0;
  for (const { 0: tag, index } of text.matchAll(TAGS)) {
    if (tag.startsWith('<!') || tag.endsWith('/>')) continue;
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth > DEEPEST) throw tooDeep(`${file}, line ${text.slice(0, index).split('\n').length}`);
  }
}

/** Refuses what the text did not show to be deep, before functions that call themselves walk through it. */
function refuseDeep(root: DomElement, file: string): void {
  for (let level: DomElement[] = [root], depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw tooDeep(`${file}, line ${level[0].lineNumber ?? 0}`);
    level = level.flatMap((element) =>
      Array.from(element.childNodes).filter((node): node is DomElement => node.nodeType === node.ELEMENT_NODE),
    );
  }
}

/** The refusal of what lies too deep. */
const tooDeep = (where: string): GradsimError =>
  new GradsimError('robots/not-xml', `${where}: elements are more than ${DEEPEST} deep in each other.`);

/** @throws GradsimError where elements of several files together lie too deep in each other. */
export function refuseDeepElements(root: Element): void {
  for (let level: readonly Element[] = [root], depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw tooDeep(`${level[0].file}, line ${level[0].line}`);
    level = level.flatMap(({ children }) => children);
  }
}

function wrap(element: DomElement, file: string): Element {
  const attributes = new Map(Array.from(element.attributes, ({ name, value }) => [name, value]));
  const children: Element[] = [];
  let text = '';
  for (const node of Array.from(element.childNodes))
    if (node.nodeType === node.ELEMENT_NODE) children.push(wrap(node as DomElement, file));
    else if (node.nodeType !== node.COMMENT_NODE) text += node.nodeValue ?? '';
  const line = element.lineNumber ?? 0;
  return new Element({ name: element.tagName, file, line, attributes, children, text: text.trim() });
}
