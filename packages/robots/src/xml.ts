import { GradsimError, isGradsimError } from '@gradsim/core';
import type { Element as DomElement } from '@xmldom/xmldom';
import { DOMParser } from '@xmldom/xmldom';
import { Element } from './element.ts';

/** Maximum depth of nested elements: enough for a chain of a hundred links; more might overflow the call stack. */
const DEEPEST = 400;

/**
 * Parses an XML document and returns its root element.
 * @throws GradsimError for text that is not well formed, for a document type declaration, whose entities could expand
 * without end, and for elements nested too deeply.
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
      // Ends parsing; the message is thrown with file and line below.
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

/** Matches comments, CDATA sections and tags, whose quoted attributes may contain > and /. Takes linear time. */
const TAGS =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\/?[^\s<>"'!?/][^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/g;

/** Refuses a text with elements nested too deeply before it is parsed: the parser takes time quadratic in the depth. */
function refuseDepth(text: string, file: string): void {
  let depth = 0;
  for (const { 0: tag, index } of text.matchAll(TAGS)) {
    if (tag.startsWith('<!') || tag.endsWith('/>')) continue;
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth > DEEPEST) throw tooDeep(`${file}, line ${text.slice(0, index).split('\n').length}`);
  }
}

/**
 * Refuses a parsed document nested too deeply, if the check of its text missed it, before recursive functions visit it.
 */
function refuseDeep(root: DomElement, file: string): void {
  for (let level: DomElement[] = [root], depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw tooDeep(`${file}, line ${level[0].lineNumber ?? 0}`);
    level = level.flatMap((element) =>
      Array.from(element.childNodes).filter((node): node is DomElement => node.nodeType === node.ELEMENT_NODE),
    );
  }
}

/** Creates the error for elements nested too deeply. */
const tooDeep = (where: string): GradsimError =>
  new GradsimError('robots/not-xml', `${where}: elements are more than ${DEEPEST} deep in each other.`);

/**
 * Checks the depth of an element tree assembled from several files. @throws GradsimError if it is nested too deeply.
 */
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
