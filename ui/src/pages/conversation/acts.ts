/** What the parts of a thread may ask of its page. What a reader may not do is left out. */
import type { Passage, Told } from '@/features/evidence/marks';
import type { Citation, Message, Rating } from '@/lib/conversationWire';

export interface ThreadActs {
  /** A run is shown to whoever asked, also where the conversation is shared. */
  readonly isMine: boolean;
  readonly open: (citation: Citation) => void;
  /** What is being cited, before it is kept. */
  readonly openPassage: (passage: Passage) => void;
  readonly openDocument: (id: string) => void;
  /** What was said, where memory keeps it. */
  readonly openEpisode: (episode: Told) => void;
  readonly walk: (messageId: string) => void;
  /** A run is over; the message is what it wrote. */
  readonly ended: (message: Message | null) => void;
  /** A run has asked back. */
  readonly asked: () => void;
  readonly rate: (messageId: string, rating: Rating | null) => void;
  readonly say?: ((content: string) => Promise<unknown>) | undefined;
  readonly edit?: ((question: Message, content: string) => Promise<unknown>) | undefined;
  readonly again?: ((messageId: string) => void) | undefined;
  readonly review?: ((citation: Citation, decision: 'accepted' | 'disputed') => void) | undefined;
}
