import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SearchField } from './components/SearchField';

test('a search field asks while one types, and never undoes what was typed since', async () => {
  const ask = vi.fn();
  const { rerender } = render(<SearchField value="" eager onSearch={ask} />);
  const field = screen.getByRole('textbox');
  await userEvent.type(field, 'ab');
  await vi.waitFor(() => expect(ask).toHaveBeenLastCalledWith('ab'));
  await userEvent.type(field, 'c');
  rerender(<SearchField value="ab" eager onSearch={ask} />);
  expect(field).toHaveValue('abc');
  await vi.waitFor(() => expect(ask).toHaveBeenLastCalledWith('abc'));
  act(() => rerender(<SearchField value="from elsewhere" eager onSearch={ask} />));
  expect(field).toHaveValue('from elsewhere');
});

test('a search field leads down to the results', async () => {
  const down = vi.fn();
  render(<SearchField value="" onSearch={vi.fn()} onDown={down} />);
  await userEvent.type(screen.getByRole('textbox'), '{ArrowDown}');
  expect(down).toHaveBeenCalledOnce();
});
