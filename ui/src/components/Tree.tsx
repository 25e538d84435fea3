import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { type HTMLAttributes, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { above, moveOf, rowsOf, type TreeNode, type TreeRow } from '@/lib/tree';

interface TreeProps {
  label: string;
  nodes: readonly TreeNode[];
  selected: string;
  onSelect: (id: string) => void;
  renderIcon: (node: TreeNode, isOpen: boolean) => ReactNode;
  /** What stands at the end of a row. */
  renderNote?: (node: TreeNode) => ReactNode;
  /** More for a row, such as what may be dropped there. */
  rowProps?: (node: TreeNode) => HTMLAttributes<HTMLElement>;
}

/** A tree to choose from, by pointer or by the keys of the ARIA pattern. */
export function Tree({ label, nodes, selected, onSelect, renderIcon, renderNote, rowProps }: TreeProps) {
  const list = useRef<HTMLUListElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set([...nodes.map(({ id }) => id), ...above(nodes, selected)]),
  );
  const [shown, setShown] = useState(selected);
  const [focused, setFocused] = useState(selected);
  if (shown !== selected) {
    setShown(selected);
    setFocused(selected);
    setOpened(new Set([...opened, ...above(nodes, selected)]));
  }
  const rows = rowsOf(nodes, opened);
  // A row that has gone takes the place in the tab order with it; the first one inherits it.
  const entry = rows.some(({ node }) => node.id === focused) ? focused : rows[0]?.node.id;

  function toggle(id: string) {
    setOpened(opened.has(id) ? new Set([...opened].filter((one) => one !== id)) : new Set([...opened, id]));
  }

  function press(event: KeyboardEvent, id: string) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') onSelect(id);
    else {
      const move = moveOf(event.key, rows, id, opened);
      if (move === null) return;
      if (move.open ?? move.close) toggle(id);
      if (move.focus !== undefined) {
        setFocused(move.focus);
        list.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(move.focus)}"]`)?.focus();
      }
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <ul ref={list} role="tree" aria-label={label} className="grid gap-px">
      {rows.map((row) => (
        <Row
          key={row.node.id}
          row={row}
          isOpen={opened.has(row.node.id)}
          isSelected={row.node.id === selected}
          props={{
            ...rowProps?.(row.node),
            tabIndex: row.node.id === entry ? 0 : -1,
            onClick: () => onSelect(row.node.id),
            onKeyDown: (event) => press(event, row.node.id),
            onFocus: () => setFocused(row.node.id),
          }}
          onToggle={() => toggle(row.node.id)}
        >
          {renderIcon(row.node, opened.has(row.node.id))}
          <span className="min-w-0 flex-1 truncate" title={row.node.label}>
            {row.node.label}
          </span>
          {renderNote?.(row.node)}
        </Row>
      ))}
    </ul>
  );
}

interface RowProps {
  row: TreeRow;
  isOpen: boolean;
  isSelected: boolean;
  props: HTMLAttributes<HTMLElement>;
  onToggle: () => void;
  children: ReactNode;
}

function Row({ row, isOpen, isSelected, props, onToggle, children }: RowProps) {
  const hasChildren = row.node.children.length > 0;
  return (
    <li
      role="treeitem"
      data-node={row.node.id}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-selected={isSelected}
      aria-expanded={hasChildren ? isOpen : undefined}
      {...props}
      style={{ paddingInlineStart: `${(row.level - 1) * 0.875}rem` }}
      className={clsx(
        'flex h-8 cursor-pointer items-center gap-1.5 rounded-md pr-2 text-sm select-none focus-visible:-outline-offset-2 coarse:h-11',
        isSelected ? 'bg-accent-soft font-medium text-accent' : 'text-ink-2 hover:bg-hover hover:text-ink',
        props.className,
      )}
    >
      {/* Only for the pointer: the arrow keys open and close. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className={clsx('grid size-6 shrink-0 place-items-center', !hasChildren && 'invisible')}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        <ChevronRight aria-hidden className={clsx('size-3.5 transition-transform', isOpen && 'rotate-90')} />
      </span>
      {children}
    </li>
  );
}
