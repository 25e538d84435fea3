/** The title of the page, in the browser's tab and for screen readers. */
import { useEffect } from 'react';
import { announce } from './announce';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Intelli' ? title : `${title} · Intelli`;
    announce(title);
  }, [title]);
}
