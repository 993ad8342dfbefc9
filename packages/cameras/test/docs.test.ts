import * as cameras from '@gradsim/cameras';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/cameras/README.md'], { '@gradsim/cameras': cameras });
