export { DEEPEST_XML, parseXml, type XmlElement, XmlFault } from './xml.ts';
