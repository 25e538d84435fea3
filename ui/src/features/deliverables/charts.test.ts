import { expect, test } from 'vitest';
import { themeOf } from './charts';

test('labels leave room for the bars in a narrow frame', () => {
  const style = getComputedStyle(document.body);
  expect(themeOf(style, 'light', 300).axis).toMatchObject({ labelLimit: 120 });
  expect(themeOf(style, 'light', 1200).axis).toMatchObject({ labelLimit: 220 });
  expect(themeOf(style, 'light', 0).axis).toMatchObject({ labelLimit: 220 });
});
