/** Exports of mediabunny that are used; loaded with the first video. Bundlers leave out the rest. */
export {
  BufferSource,
  BufferTarget,
  canEncodeVideo,
  EncodedPacketSink,
  Input,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  Quality,
  VideoSample,
  VideoSampleSink,
  VideoSampleSource,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
