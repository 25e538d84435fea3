import { Cpu, Quote, ScrollText, ShieldCheck } from 'lucide-react';

const PROMISES = [
  {
    Icon: Quote,
    title: 'Evidence first',
    text: 'What is claimed is tied to the exact passage it came from. What cannot be proven is shown as unproven.',
  },
  {
    Icon: ShieldCheck,
    title: 'Yours alone',
    text: 'It runs on your own machine. Workspaces are walled off from each other in the database itself.',
  },
  {
    Icon: ScrollText,
    title: 'Nothing hidden',
    text: 'Every sign-in, key and change is in a log whose entries seal one another. Tampering shows.',
  },
  {
    Icon: Cpu,
    title: 'With or without a model',
    text: 'Without one, answers are made of the sources’ own sentences. A model that you connect in Settings → Models adds planning, reading across sources and writing in your words. Every sentence passes the same check.',
  },
] as const;

/** What Intelli stands for, in a few sentences. */
export function Promises() {
  return (
    <ul className="grid gap-4">
      {PROMISES.map(({ Icon, title, text }) => (
        <li key={title} className="flex gap-3">
          <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-accent" />
          <p className="text-pretty text-ink-2">
            <strong className="font-semibold text-ink">{title}.</strong> {text}
          </p>
        </li>
      ))}
    </ul>
  );
}
