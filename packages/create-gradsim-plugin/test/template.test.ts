import * as core from '@gradsim/core';
import * as particles from '@gradsim/particles';
import { testPages } from '../../contact/test/pages.ts';
import * as template from '../template/src/index.ts';

testPages(['packages/create-gradsim-plugin/template/README.md'], {
  '@gradsim/core': core,
  '@gradsim/particles': particles,
  'my-plugin': template,
});
