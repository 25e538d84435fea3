import type { ReactNode } from 'react';
import { CopyField } from '@/components/CopyField';

/** What answers are made of without a model, what a model adds, and the three ways to one. */
export function WithoutModel({ connect, install = null }: { connect?: ReactNode; install?: string | null }) {
  return (
    <div className="grid gap-5">
      <div className="grid max-w-[68ch] gap-2 text-pretty">
        <p className="text-md font-semibold">No model. Answers are made of the sources’ own sentences.</p>
        <p className="text-sm text-ink-2">
          <strong className="font-semibold text-ink">Works without:</strong> reading files, search, memory, answers and
          reports of quoted sentences, each with its citation and its check.
        </p>
        <p className="text-sm text-ink-2">
          <strong className="font-semibold text-ink">A model adds:</strong> planning, reading across sources, writing in
          your words, and reports worth sending. Every sentence still passes the same check.
        </p>
      </div>
      {connect === undefined ? (
        <p className="text-sm text-ink-2">Ask an administrator of the workspace to connect one.</p>
      ) : (
        <ol aria-label="Ways to a model" className="grid gap-3 @3xl:grid-cols-3">
          <Way title="Use one on this machine">
            Ollama, LM Studio, llama.cpp and vLLM are found by themselves, and listed below.
          </Way>
          <Way title="Connect a provider" action={connect}>
            With an address and a key, kept encrypted.
          </Way>
          <Way
            title="Install a small one"
            action={install !== null && <CopyField label="On the server" value={install} />}
          >
            It runs on this machine alone.
          </Way>
        </ol>
      )}
    </div>
  );
}

function Way({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 rounded-lg border border-line px-4 py-3.5">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="text-sm text-pretty text-ink-2">{children}</p>
      </div>
      {action && <div>{action}</div>}
    </li>
  );
}
