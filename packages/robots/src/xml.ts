import { DEEPEST_XML, parseXml as parse, type XmlElement, XmlFault } from '@gradsim/base/xml';
import { GradsimError } from '@gradsim/core';
import { Element } from './element.ts';

/**
 * Parses an XML document and returns its root element.
 * @throws GradsimError for text that is not well formed, for a document type declaration, whose entities could expand
 * without end, and for elements nested too deeply.
 */
export function parseXml(text: string, file: string): Element {
  try {
    return wrap(parse(text), file);
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    const { reason, line, hint } = error;
    throw new GradsimError('robots/not-xml', `${line ? `${file}, line ${line}` : file}: ${reason}.`, { hint });
  }
}

/**
 * Checks the depth of an element tree assembled from several files. @throws GradsimError if it is nested too deeply.
 */
export function refuseDeepElements(root: Element): void {
  for (let level: readonly Element[] = [root], depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST_XML)
      throw new GradsimError(
        'robots/not-xml',
        `${level[0].file}, line ${level[0].line}: elements are more than ${DEEPEST_XML} deep in each other.`,
      );
    level = level.flatMap(({ children }) => children);
  }
}

const wrap = ({ children, ...own }: XmlElement, file: string): Element =>
  new Element({ ...own, file, children: children.map((child) => wrap(child, file)) });
