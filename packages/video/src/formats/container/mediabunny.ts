/**
 * The exports of mediabunny that are used, loaded when the first video is read or written. Bundlers leave out the rest.
 */
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
