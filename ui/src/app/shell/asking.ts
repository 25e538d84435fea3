/** The way to the field where one asks. */

const FIELD = 'main [data-composer]';
const TRIES = 20;

/** Puts the cursor into the field of the page, as soon as the page has one. */
export function focusComposer(): void {
  let tries = 0;
  const look = () => {
    const field = document.querySelector<HTMLTextAreaElement>(FIELD);
    if (field) field.focus();
    else if (++tries < TRIES) setTimeout(look, 50);
  };
  requestAnimationFrame(look);
}
