export * from '@gradsim/film';
