import * as contact from '@gradsim/contact';
import * as core from '@gradsim/core';
import * as mpm from '@gradsim/mpm';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/mpm/README.md'], {
  '@gradsim/contact': contact,
  '@gradsim/core': core,
  '@gradsim/mpm': mpm,
});
