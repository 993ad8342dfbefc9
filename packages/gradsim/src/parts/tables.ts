export * from '@gradsim/recordings/files';
