import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { ApiProblem, type FieldMessage } from '@/lib/problem';
import { Button } from './Button';
import { ConfirmDialog } from './ConfirmDialog';
import { PasswordField, TextField } from './Field';
import { Form, Submit } from './Form';
import { Loaded } from './Loaded';
import { Splitter } from './Splitter';

function show(onSubmit: (values: Readonly<Record<string, string>>) => Promise<void>) {
  render(
    <Form label="Test" onSubmit={onSubmit} validate={({ name = '' }) => (name === '' ? { name: 'Enter a name.' } : {})}>
      <TextField name="name" label="Name" hint="As on the door." />
      <PasswordField name="password" label="Password" />
      <Submit>Send</Submit>
    </Form>,
  );
  return { name: screen.getByLabelText('Name'), send: screen.getByRole('button', { name: 'Send' }) };
}

const refused = (...errors: readonly FieldMessage[]) =>
  new ApiProblem({ status: 422, code: 'invalid', title: '', detail: 'Check: body.name.', errors });
const list = (items: readonly string[]) => <p>{items.join()}</p>;

describe('a form', () => {
  test('leads to the field at fault and does not submit', async () => {
    const submit = vi.fn(() => Promise.resolve());
    const { name, send } = show(submit);
    await userEvent.click(send);
    expect(name).toHaveFocus();
    expect(name).toBeInvalid();
    expect(name).toHaveAccessibleDescription('Enter a name.');
    expect(submit).not.toHaveBeenCalled();
  });

  test.each<[string, readonly FieldMessage[], string]>([
    ['none', [], 'Check: body.name.'],
    ['one that is there', [{ field: 'body.name', message: 'Taken.' }], 'Please check the marked fields.'],
    ['one that is not', [{ field: 'body.expires_in_days', message: 'Too long' }], 'Expires in days: Too long.'],
    ['the whole', [{ field: 'body', message: 'Not JSON' }], 'Not JSON.'],
    [
      'both kinds',
      [
        { field: 'body.name', message: 'Taken.' },
        { field: 'body.days.0', message: 'Too long' },
      ],
      'Please check the marked fields. Days: Too long.',
    ],
  ])('says above what it cannot say at a field: %s', async (_, errors, banner) => {
    const { name, send } = show(() => Promise.reject(refused(...errors)));
    await userEvent.type(name, 'Ada');
    await userEvent.click(send);
    expect((await screen.findByRole('alert')).textContent).toBe(banner);
    expect(name).toHaveAccessibleDescription(
      errors.some(({ field }) => field === 'body.name') ? 'Taken.' : 'As on the door.',
    );
  });

  test('submits once, however often the button is pressed', async () => {
    const submit = vi.fn(() => new Promise<void>(() => undefined));
    const { name, send } = show(submit);
    await userEvent.type(name, 'Ada');
    await userEvent.dblClick(send);
    expect(submit).toHaveBeenCalledTimes(1);
  });

  test('shows a password on demand', async () => {
    show(() => Promise.resolve());
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  });
});

describe('a list', () => {
  const base = { isPending: false, error: null, refetch: vi.fn() };

  test('is loading, failed, empty or full', async () => {
    const empty = <p>Nothing yet</p>;
    const { rerender } = render(
      <Loaded query={{ ...base, isPending: true }} items={[]} empty={empty}>
        {list}
      </Loaded>,
    );
    expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible();
    rerender(
      <Loaded query={{ ...base, error: new Error('x') }} items={[]} empty={empty}>
        {list}
      </Loaded>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(base.refetch).toHaveBeenCalled();
    rerender(
      <Loaded query={base} items={[]} empty={empty}>
        {list}
      </Loaded>,
    );
    expect(screen.getByText('Nothing yet')).toBeVisible();
    rerender(
      <Loaded query={{ ...base, hasNextPage: true }} items={['a', 'b']} empty={empty}>
        {list}
      </Loaded>,
    );
    expect(screen.getByText('a,b')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Load more' })).toBeVisible();
  });
});

describe('a question before something final', () => {
  test('shows why the server refuses, and closes when it is done', async () => {
    const refusal = new ApiProblem({
      status: 409,
      code: 'last_owner',
      title: '',
      detail: 'A workspace needs an owner.',
    });
    const confirm = vi.fn<() => Promise<void>>().mockRejectedValueOnce(refusal).mockResolvedValueOnce();
    render(
      <ConfirmDialog
        trigger={<Button>Leave</Button>}
        title="Leave?"
        consequence="You lose access."
        action="Leave now"
        onConfirm={confirm}
      />,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
    await userEvent.click(screen.getByRole('button', { name: 'Leave now' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('A workspace needs an owner.');
    await userEvent.click(screen.getByRole('button', { name: 'Leave now' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  });
});

describe('the line between two panes', () => {
  test('moves by arrow keys within its bounds', async () => {
    const change = vi.fn();
    const reset = vi.fn();
    render(<Splitter label="Width" sizes="right" width={300} min={290} max={400} onChange={change} onReset={reset} />);
    screen.getByRole('separator', { name: 'Width' }).focus();
    await userEvent.keyboard('{ArrowLeft}{ArrowRight}{End}{Home}{Enter}');
    expect(change.mock.calls.flat()).toEqual([316, 290, 400, 290]);
    expect(reset).toHaveBeenCalledOnce();
  });
});
