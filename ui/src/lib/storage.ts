/** Small preferences that a reload must keep. Storage may be forbidden or full: then they last as long as the page. */

const PREFIX = 'intelli.';

export function readStored<Value>(key: string, fallback: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : (JSON.parse(text) as Value);
  } catch {
    return fallback;
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The preference then lasts as long as the page.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // Where storage is forbidden there is nothing to remove.
  }
}
