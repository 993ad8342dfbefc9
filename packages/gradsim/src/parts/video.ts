export * from '@gradsim/video';
