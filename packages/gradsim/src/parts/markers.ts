export * from '@gradsim/markers';
