/** Fetches a file with the caller's token and hands it to the browser's own download. */
import { authorised } from './http';

export async function download(path: string, name: string): Promise<void> {
  const response = await authorised(new Request(location.origin + path));
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
