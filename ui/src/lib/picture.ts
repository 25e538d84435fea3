/** A picture that only the session may see: fetched with the token, shown from memory, forgotten when no longer shown. */
import { useEffect, useState } from 'react';
import { authorised } from './http';

export type Picture =
  | { readonly state: 'waiting' }
  | { readonly state: 'shown'; readonly src: string }
  | { readonly state: 'failed'; readonly error: unknown };

/** While another path is fetched, the picture before it stays. */
export function usePicture(path: string): Picture {
  const [picture, setPicture] = useState<Picture>({ state: 'waiting' });

  useEffect(() => {
    const stop = new AbortController();
    fetchPicture(path, stop.signal).then(
      (src) => setPicture({ state: 'shown', src }),
      (error: unknown) => stop.signal.aborted || setPicture({ state: 'failed', error }),
    );
    return () => stop.abort();
  }, [path]);

  const src = picture.state === 'shown' ? picture.src : null;
  useEffect(() => () => (src === null ? undefined : URL.revokeObjectURL(src)), [src]);

  return picture;
}

async function fetchPicture(path: string, signal: AbortSignal): Promise<string> {
  const response = await authorised(new Request(location.origin + path, { signal }));
  const blob = await response.blob();
  signal.throwIfAborted();
  return URL.createObjectURL(blob);
}
