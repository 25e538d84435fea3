import { Dialog } from '@/components/Dialog';
import { Keys } from '@/components/Marks';
import { type CommandGroup, useRegistry } from '@/lib/commands';
import { closeOverlays, useOverlays } from './overlays';

const GROUPS: readonly CommandGroup[] = ['Go to', 'Do', 'View'];

/** Every command that has keys, from the same registry the keyboard uses. */
export function ShortcutDialog() {
  const open = useOverlays((overlays) => overlays.open === 'shortcuts');
  const commands = useRegistry((registry) => registry.commands).filter(({ keys }) => keys !== undefined);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && closeOverlays()} title="Keyboard shortcuts">
      <div className="grid gap-5">
        {GROUPS.map((group) => ({ group, list: commands.filter((command) => command.group === group) }))
          .filter(({ list }) => list.length > 0)
          .map(({ group, list }) => (
            <section key={group} aria-label={group}>
              <h3 className="mb-1 text-xs font-semibold text-ink-3">{group}</h3>
              <dl className="divide-y divide-line">
                {list.map((command) => (
                  <div key={command.id} className="flex min-h-9 items-center justify-between gap-4 text-sm">
                    <dt>{command.title}</dt>
                    <dd>{command.keys !== undefined && <Keys keys={command.keys} />}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
    </Dialog>
  );
}
