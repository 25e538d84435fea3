import { toast } from '@/lib/announce';
import { messageOf } from '@/lib/problem';
import type { User } from '@/lib/wire';
import { useChangeMemory } from '../api';

/** Whether what a person says is remembered, and searched for them, wherever they do not say otherwise. */
export function MemorySwitch({ user }: { user: User }) {
  const change = useChangeMemory();
  return (
    <label className="flex items-start gap-2 text-sm text-ink coarse:min-h-11">
      <input
        type="checkbox"
        checked={user.uses_memory}
        disabled={change.isPending}
        onChange={({ currentTarget: { checked } }) =>
          change.mutate(
            { usesMemory: checked, version: user.version },
            {
              onSuccess: () => toast(checked ? 'Memory is used from now on.' : 'Memory is left aside from now on.'),
              onError: (error) => toast(messageOf(error), 'bad'),
            },
          )
        }
        className="mt-0.5 size-4 accent-accent"
      />
      <span>
        Remember what I state in conversations, and search it for my questions
        <span className="block text-xs text-ink-3">
          Each conversation can leave memory aside as well. What is remembered already stays until you forget it.
        </span>
      </span>
    </label>
  );
}
