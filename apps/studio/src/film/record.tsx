import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Longest film that is recorded, s: a motion is short, and a page holds only so many pictures. */
const LONGEST = 10;
/** Formats to record, those that browsers decode again first. */
const TYPES = ['video/webm;codecs=vp8', 'video/webm', 'video/mp4;codecs=avc1.42E01F', 'video/mp4'];

/** Records a film with the device's camera; its frames keep the camera's time stamps. Null where there is no camera to ask for. */
export function Record({ onFile }: { readonly onFile: (file: File) => void }): JSX.Element | null {
  const [stream, setStream] = useState<MediaStream>();
  const [error, setError] = useState('');
  const [seconds, setSeconds] = useState(0);
  const recorder = useRef<MediaRecorder>();
  useEffect(() => () => close(stream), [stream]);
  if (!navigator.mediaDevices || typeof MediaRecorder === 'undefined') return null;

  async function open(): Promise<void> {
    setError('');
    try {
      const video = { facingMode: 'environment', width: { ideal: 1280 }, frameRate: { ideal: 60 } };
      setStream(await navigator.mediaDevices.getUserMedia({ video, audio: false }));
    } catch (reason) {
      const isRefused = (reason as DOMException).name === 'NotAllowedError';
      setError(isRefused ? 'The browser does not let this page use the camera.' : 'No camera was found.');
    }
  }
  function start(): void {
    const parts: Blob[] = [];
    const type = TYPES.find((each) => MediaRecorder.isTypeSupported(each));
    const own = new MediaRecorder(stream!, { ...(type ? { mimeType: type } : {}), videoBitsPerSecond: 12e6 });
    recorder.current = own;
    const began = performance.now();
    const clock = setInterval(() => {
      const passed = (performance.now() - began) / 1000;
      setSeconds(passed);
      if (passed > LONGEST) own.stop();
    }, 100);
    own.addEventListener('dataavailable', ({ data }) => parts.push(data));
    own.addEventListener('stop', () => {
      clearInterval(clock);
      setSeconds(0);
      setStream(undefined);
      const ending = own.mimeType.includes('mp4') ? 'mp4' : 'webm';
      onFile(new File(parts, `recorded.${ending}`, { type: own.mimeType }));
    });
    own.start();
  }
  const isRecording = seconds > 0;
  return (
    <div class="record">
      {stream ? (
        <>
          <video
            muted
            playsInline
            autoPlay
            aria-label="Picture of the camera"
            ref={(element) => {
              if (element && element.srcObject !== stream) element.srcObject = stream;
            }}
          />
          <p class="what" role="status">
            {isRecording
              ? `${seconds.toFixed(1)} s of at most ${LONGEST}`
              : 'Put the camera down, so that it stands still. Film the motion from its side.'}
          </p>
          <button type="button" class="main" onClick={isRecording ? () => recorder.current?.stop() : start}>
            {isRecording ? 'Stop' : 'Record'}
          </button>{' '}
          {!isRecording && (
            <button type="button" onClick={() => setStream(undefined)}>
              Close the camera
            </button>
          )}
        </>
      ) : (
        <button type="button" onClick={open}>
          Record with the camera
        </button>
      )}
      {error && (
        <p class="wrong" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function close(stream?: MediaStream): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
