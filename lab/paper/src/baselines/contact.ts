import { CONTACT_OPTIONS, CONTACT_UNKNOWNS } from '../objects/contact.ts';
import { baselineStudy } from './study.ts';

/** Study of the comparison methods of Table 2. */
export default baselineStudy(CONTACT_UNKNOWNS, CONTACT_OPTIONS);
