import { StoreError } from '../../src/errors/store-error.ts'
import type { DecisionEvent, SaidEvent } from '../../src/log/decision-event.ts'
import { hashText } from '../../src/log/hash-text.ts'
import { eventId } from '../../src/log/ids.ts'
import type { StoredEvent } from '../../src/store/decision-store.ts'
import { asserted, job, message, touch } from '../../src/store-tests/harness/talk.ts'
import type { Damage } from './talked-store.ts'

type Change = (event: SaidEvent) => object | null

/** Changes the event at a place of the log, and gives it the id of what it says then unless its damage is the id. */
const atEvent =
  (seq: number, change: Change, reseal = true) =>
  (stored: StoredEvent): DecisionEvent | null => {
    if (stored.seq !== seq) return stored.event
    const changed = change(stored.event as SaidEvent)
    if (changed === null) return null
    const event = { ...stored.event, ...changed } as SaidEvent
    return reseal ? { ...event, id: eventId(event) } : event
  }

const source = (change: (event: SaidEvent) => object, reseal = true): Damage => ({
  event: atEvent(5, (event) => ({ source: { ...event.source, ...change(event) } }), reseal),
})
const raw = (seq: number, change: object | null): Damage => ({
  event: atEvent(seq, () => change, false),
})
const gone = (...seqs: readonly number[]): Damage => ({
  event: ({ seq, event }) => (seqs.includes(seq) ? null : event),
})
const text = (index: number, change: object | null): Damage => ({
  source: (row) => (row.message !== index ? row : change && { ...row, ...change }),
})

/** Each kind of damage, planted alone: what it is, the fault that names it, and the place of the event that it is about. */
export const DAMAGES: readonly (readonly [
  what: string,
  code: string,
  seq: number | undefined,
  damage: Damage,
])[] = [
  ['a byte of a message was changed', 'source-text', 2, text(2, { text: 'tExt 2' })],
  ['a message is gone', 'message-missing', undefined, text(1, null)],
  ['a message that is quoted is gone', 'source-missing', 2, text(2, null)],
  ['a message moved to another role', 'source-role', 2, text(2, { role: 'assistant' })],
  ['a message moved to another turn', 'source-turn', 2, text(2, { turn: 9 })],
  [
    'all messages are gone',
    'source-missing',
    1,
    { session: () => ({ count: async () => 0, sources: async () => [] }) },
  ],
  [
    'the session is gone',
    'source-missing',
    1,
    { store: { find: async () => null, list: async () => [BARE] } },
  ],
  [
    'a source names a message that never was',
    'source-missing',
    5,
    source(() => ({ message: 77, edition: 1 })),
  ],
  [
    'a source begins elsewhere',
    'source-text',
    5,
    source(({ source }) => ({ start: 1, end: source.end + 1 })),
  ],
  [
    'a quote was made up, with its hash',
    'source-text',
    5,
    source(() => ({ quote: 'made u', hash: hashText('made u') })),
  ],
  ['a quote was changed', 'quote-hash', 5, source(() => ({ quote: 'TEXT 3' }))],
  ['a hash was changed', 'quote-hash', 5, source(() => ({ hash: '0'.repeat(64) }))],
  [
    'what a tool returned states something',
    'source-authority',
    2,
    { event: atEvent(2, (event) => ({ source: { ...event.source, role: 'tool' } })) },
  ],
  [
    'the assistant accepts for the user',
    'source-authority',
    5,
    { event: atEvent(5, () => ({ authority: 'accepted' })) },
  ],
  ['a quote is blank', 'quote-empty', 5, source(() => ({ quote: '', end: 0, hash: hashText('') }))],
  ['a quote is longer than its place', 'event-shape', 5, source(() => ({ end: 900 }))],
  ['an event has no source', 'event-shape', 2, raw(2, { source: undefined })],
  ['an event is of no known type', 'event-shape', 2, raw(2, { type: 'decided' })],
  [
    'an event is not a thing at all',
    'event-shape',
    2,
    { event: ({ seq, event }) => (seq === 2 ? (5 as never) : event) },
  ],
  ['an event has the id of another', 'event-id', 2, raw(2, { id: 'e000000000000' })],
  ['an event became another one', 'event-id', 5, raw(5, { type: 'reaffirmed' })],
  ['an event was moved to another decision', 'event-id', 5, raw(5, { decision: 'd000000000000' })],
  ['an edition was changed', 'event-id', 5, source(() => ({ edition: 4 }), false)],
  ['the range of a withdrawal was changed', 'event-id', 7, raw(7, { from: 1 })],
  [
    'a choice was changed',
    'decision-id',
    2,
    {
      event: atEvent(2, (event) => ({
        choice: { ...(event as { choice: object }).choice, choice: 'MySQL' },
      })),
    },
  ],
  [
    'an event is in another scope',
    'decision-id',
    2,
    { event: atEvent(2, () => ({ scope: 'project:other' })) },
  ],
  [
    'a decision rests on nothing',
    'basis-unknown',
    2,
    {
      event: atEvent(2, (event) => ({
        choice: { ...(event as { choice: object }).choice, dependsOn: ['d000000000000'] },
      })),
    },
  ],
  [
    'a successor never was',
    'successor-unknown',
    4,
    { event: atEvent(4, () => ({ supersededBy: 'd000000000000' })) },
  ],
  ['the beginning of a decision is gone', 'decision-unknown', 5, gone(2)],
  ['a withdrawal is gone', 'source-text', 3, gone(7)],
  [
    'an event is older than the withdrawal before it',
    'source-late',
    8,
    { event: atEvent(8, (event) => ({ source: { ...event.source, edition: 0 } })) },
  ],
  [
    'an imported quote was changed',
    'quote-hash',
    10,
    { event: atEvent(10, (event) => ({ source: { ...event.source, quote: 'IMPORTED text' } })) },
  ],
  [
    'an imported event says that it was said here',
    'source-missing',
    10,
    { event: atEvent(10, () => ({ by: 'rules' })) },
  ],
  [
    'a file was touched in no message',
    'artifact-beyond',
    undefined,
    { session: () => ({ artifacts: async () => [touch(40)] }) },
  ],
  [
    'a job is about no messages',
    'job-beyond',
    undefined,
    { session: () => ({ pendingJobs: async () => [job('a', 30, 40)] }) },
  ],
  [
    'a summary stands for more than was said',
    'summary-beyond',
    undefined,
    { session: () => ({ summary: async () => ({ messages: 99, prefixHash: 'x', text: 'y' }) }) },
  ],
  [
    'a row cannot be read',
    'unreadable',
    undefined,
    {
      session: () => ({
        sources: async () => {
          throw new StoreError('STORE_CORRUPT', 'a row is damaged')
        },
      }),
    },
  ],
]

const BARE = {
  ...{ principal: 'local', key: 'z', messages: 0, events: 0, pendingJobs: 0, createdAt: 1, lastAt: 1 },
}

/** Faults of events before they are written, by what is wrong. */
export const REJECTED: readonly (readonly [what: string, code: string, event: unknown])[] = [
  ['a quote of a message that is not there', 'source-missing', asserted('a', message(9, 'text'))],
  ['a quote that nobody said', 'source-text', asserted('a', message(0, 'made up'))],
  ['a quote of somebody else', 'source-role', asserted('a', { ...message(0, 'text 0'), role: 'assistant' })],
  ['a quote of another turn', 'source-turn', asserted('a', { ...message(0, 'text 0'), turn: 5 })],
  ['an event that says nothing', 'quote-empty', asserted('a', message(0, ''))],
  ['an event with another id', 'event-id', { ...asserted('a', message(0, 'text 0')), id: 'e000000000000' }],
  [
    'an event that is a megabyte long',
    'event-length',
    asserted('a', message(0, 'text 0'), { choice: { l1: 'x'.repeat(2 ** 20) } }),
  ],
  ['an event without a source', 'event-shape', { ...asserted('a', message(0, 'text 0')), source: null }],
  ['something else', 'event-shape', null],
]
