export * from '@gradsim/recordings/poses';
