import type { AuditEntry } from '@/lib/wire';
import { type NameOf, sentenceOf, subjectOf } from '../describe';

/** An entry as a sentence. A name that runs from right to left does not turn the words around it. */
export function EntrySentence({ entry, nameOf }: { entry: AuditEntry; nameOf: NameOf }) {
  const sentence = sentenceOf(entry, nameOf);
  return (
    <>
      <bdi>{subjectOf(entry, nameOf)}</bdi>{' '}
      {typeof sentence === 'string' ? (
        sentence
      ) : (
        <>
          {sentence.before}
          <bdi>{sentence.name}</bdi>
          {sentence.after}
        </>
      )}
    </>
  );
}
