import { describe, expect, it } from 'vitest';
import { citationOf } from '@/features/evidence/testing';
import { reportOf } from './report';

const TAG = '<gml-inlinecitation identifier="a.0-9"/>';

describe('the sources of a report', () => {
  it('lists a passage once for each outcome, so that a weak card is not hidden by a verified sentence', () => {
    const citations = [
      citationOf(0, { identifier: 'a.0-9', check: 'weak', reason: 'It does not have “Trucks”.' }),
      citationOf(1, { identifier: 'a.0-9', check: 'verified', reason: '' }),
      citationOf(2, { identifier: 'a.0-9', check: 'verified', reason: '' }),
    ];
    const sources = [
      {
        number: 1,
        document_id: citations[0]?.document_id ?? null,
        file_name: 'a.pdf',
        mime_type: 'application/pdf',
        sha256: '',
        url: null,
      },
    ];
    const report = reportOf({
      deliverable_id: 'd',
      title: 'T',
      gml: `<p>One.${TAG} Two.${TAG} Three.${TAG}</p>`,
      citations,
      sources,
    });
    expect(report.sources[0]?.citations.map(({ check }) => check)).toEqual(['weak', 'verified']);
    expect(report.marks.map((mark) => mark?.check)).toEqual(['weak', 'verified', 'verified']);
  });
});
