import * as core from '@gradsim/core';
import * as film from '@gradsim/film';
import * as optim from '@gradsim/optim';
import * as render from '@gradsim/render';
import * as rigid from '@gradsim/rigid';
import * as video from '@gradsim/video';
import { testPages } from '../../contact/test/pages.ts';

testPages(['docs/reference/points.md'], {
  '@gradsim/core': core,
  '@gradsim/film': film,
  '@gradsim/optim': optim,
  '@gradsim/render': render,
  '@gradsim/rigid': rigid,
  '@gradsim/video': video,
});
