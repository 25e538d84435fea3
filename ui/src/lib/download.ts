/** Fetches a file with the caller's token and hands it to the browser's own download. */
import { authorised } from './http';

const NAME = /filename\*=UTF-8''([^;]+)/;

/** Saved under `name`, or as the server calls it. */
export async function download(path: string, name?: string): Promise<void> {
  const response = await authorised(new Request(location.origin + path));
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name ?? nameOf(response.headers.get('Content-Disposition') ?? '');
  link.click();
  URL.revokeObjectURL(url);
}

/** The file name in a header of RFC 6266; empty, which leaves it to the browser, where there is none. */
export function nameOf(disposition: string): string {
  return decodeURIComponent(NAME.exec(disposition)?.[1] ?? '');
}
