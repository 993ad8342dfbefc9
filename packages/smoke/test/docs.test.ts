import * as core from '@gradsim/core';
import * as render from '@gradsim/render';
import * as smoke from '@gradsim/smoke';
import { testPages } from '../../contact/test/pages.ts';

testPages(['packages/smoke/README.md'], {
  '@gradsim/core': core,
  '@gradsim/render': render,
  '@gradsim/smoke': smoke,
});
