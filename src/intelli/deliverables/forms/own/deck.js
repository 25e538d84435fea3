/* Starts the slides. Keys are reveal.js's own; "n" shows the speaker's notes below the slides. */
'use strict';
Reveal.initialize({
  width: 1280, height: 720, margin: 0, center: false, transition: 'none', backgroundTransition: 'none', slideNumber: 'c/t',
  // A narrow frame shows slides, too: the scrolled view wants storage, which a frame without an origin has not.
  scrollActivationWidth: 0, hash: false, history: false, postMessage: false, postMessageEvents: false, pdfSeparateFragments: false, showNotes: false,
});
Reveal.addKeyBinding({ keyCode: 78, key: 'N', description: 'Show the notes' }, function () {
  Reveal.configure({ showNotes: !Reveal.getConfig().showNotes });
});
