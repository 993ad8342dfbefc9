export * from '@gradsim/recordings/markers';
