import { DOMParser } from './library.ts';

/** An element of a document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text directly in it, trimmed. */
  readonly text: string;
  /** Number of its line in the document, from 1; 0 if it is not known. */
  readonly line: number;
}

/** Error of a document that is not read: why, and where. */
export class XmlFault extends Error {
  /** Why, as a clause or two: `this is no well-formed XML: unclosed tag`. */
  readonly reason: string;
  readonly line?: number;
  readonly hint?: string;

  constructor(reason: string, { line, hint }: { readonly line?: number; readonly hint?: string } = {}) {
    super(reason);
    this.reason = reason;
    this.line = line;
    this.hint = hint;
  }
}

/** Maximum depth of nested elements: enough for a chain of a hundred links; more might overflow the call stack. */
export const DEEPEST_XML = 400;

/**
 * Parses an XML document and returns its root element.
 *
 * @throws XmlFault for text that is not well formed, for a document type declaration, whose entities could expand without
 * end, and for elements nested too deeply.
 */
export function parseXml(text: string): XmlElement {
  const plain = text.replace(/^\uFEFF/, '');
  refuseDoctype(plain);
  refuseDepth(plain);
  let fault: XmlFault | undefined;
  const note = (message: string, line?: number): void => {
    const [sentence] = message.replace(/^(?:\[xmldom \w+\]|element parse error:|Error:|\s)+/, '').split('\n');
    fault ??= new XmlFault(`this is no well-formed XML: ${sentence.replace(/\.$/, '')}`, { line });
  };
  const parser = new DOMParser({
    onError: (_, message, { locator }: { locator?: { lineNumber?: number } }) => {
      note(message, locator?.lineNumber);
      // Ends parsing; the fault is thrown below, since the parser hides errors of this function.
      throw new Error(message);
    },
  });
  try {
    const { documentElement } = parser.parseFromString(plain, 'application/xml');
    if (documentElement !== null && !fault) {
      refuseDeep(documentElement);
      return elementOf(documentElement);
    }
    note('it has no element');
  } catch (error) {
    if (error instanceof XmlFault) throw error;
    note(error instanceof Error ? error.message : String(error));
  }
  throw fault;
}

type DomElement = NonNullable<ReturnType<InstanceType<typeof DOMParser>['parseFromString']>['documentElement']>;

function refuseDoctype(text: string): void {
  const at = text.search(/<!(?:DOCTYPE|ENTITY)/i);
  if (at < 0) return;
  throw new XmlFault('a document type is refused, since its entities could expand without end', {
    line: text.slice(0, at).split('\n').length,
    hint: 'Remove <!DOCTYPE ...>.',
  });
}

/** Matches comments, CDATA sections and tags, whose quoted attributes may contain > and /. Takes linear time. */
const TAG_PATTERN =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\/?[^\s<>"'!?/][^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/g;

/** Refuses a text with elements nested too deeply before it is parsed: the parser takes time quadratic in the depth. */
function refuseDepth(text: string): void {
  let depth = 0;
  for (const { 0: tag, index } of text.matchAll(TAG_PATTERN)) {
    if (tag.startsWith('<!') || tag.endsWith('/>')) continue;
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth > DEEPEST_XML) throw tooDeep(text.slice(0, index).split('\n').length);
  }
}

/** Refuses a parsed document nested too deeply, if the check of its text missed it, before recursive functions visit it. */
function refuseDeep(root: DomElement): void {
  for (let level: DomElement[] = [root], depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST_XML) throw tooDeep(level[0].lineNumber ?? 0);
    level = level.flatMap((element) =>
      Array.from(element.childNodes).filter((node): node is DomElement => node.nodeType === node.ELEMENT_NODE),
    );
  }
}

const tooDeep = (line: number): XmlFault =>
  new XmlFault(`elements are more than ${DEEPEST_XML} deep in each other`, { line });

function elementOf(element: DomElement): XmlElement {
  const children: XmlElement[] = [];
  const texts: string[] = [];
  for (const node of Array.from(element.childNodes))
    if (node.nodeType === node.ELEMENT_NODE) children.push(elementOf(node as DomElement));
    else if (node.nodeType !== node.COMMENT_NODE) texts.push(node.nodeValue ?? '');
  return {
    name: element.tagName,
    attributes: new Map(Array.from(element.attributes, ({ name, value }) => [name, value])),
    children,
    text: texts.join('').trim(),
    line: element.lineNumber ?? 0,
  };
}
