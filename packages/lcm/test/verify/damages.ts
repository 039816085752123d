import { hash } from 'node:crypto'
import type { FrontierVersion, SeqRange, StoredMessage, SummaryNode } from '../../src/store/lcm-session.ts'
import { AT } from '../../src/store-tests/harness.ts'
import { type Damage, reseal } from './damaged-session.ts'

/** Changes one message, or takes it away. */
export const atMessage =
  (seq: number, change: (row: StoredMessage) => StoredMessage | null) => (row: StoredMessage) =>
    row.seq === seq ? change(row) : row

/** Changes one summary, or takes it away. */
export const atSummary =
  (number: number, change: (node: SummaryNode) => SummaryNode | null) => (node: SummaryNode) =>
    node.number === number ? change(node) : node

const m2 = (changes: Partial<StoredMessage> | null): Damage => ({
  message: atMessage(2, (row) => changes && { ...row, ...changes }),
})
const json = (text: string) => ({ json: text, hash: hash('sha256', text) })
const s = (number: number, changes: Partial<SummaryNode>): Damage => ({
  summary: atSummary(number, (node) => reseal(node, changes)),
})
const replaced = (...ranges: readonly SeqRange[]): Damage => ({
  head: (head) => ({ ...head, replaced: ranges }),
})
const version = (number: number, changes: Partial<FrontierVersion> | null): Damage => ({
  version: (row) => (row.version === number ? changes && { ...row, ...changes } : row),
})
const frontier = (number: number, ...summaries: readonly number[]): Damage => ({
  frontier: (asked, list) => (asked === number ? summaries : list),
})
const gone: Damage = { summary: atSummary(2, () => null) }
const sound: SeqRange = { first: 3, last: 4 }

/** Each kind of damage, planted alone: what it is, the fault that names it, and what the fault is about. */
export const DAMAGES: readonly (readonly [what: string, code: string, ref: string, damage: Damage])[] = [
  [
    'a byte of a message was changed',
    'message-hash',
    'm2',
    m2({ json: '{"role":"user","content":"earlz 1"}' }),
  ],
  ['a byte of a hash was changed', 'message-hash', 'm2', m2({ hash: '0'.repeat(64) })],
  ['a message is no JSON', 'message-json', 'm2', m2(json('{"role":'))],
  ['a message is gone', 'message-missing', 'm2', m2(null)],
  ['the last message is gone', 'message-missing', 'm12', { message: atMessage(12, () => null) }],
  ['a message has the number of another', 'message-order', 'm1', m2({ seq: 1 })],
  ['a message has another role', 'message-role', 'm2', m2({ role: 'assistant' })],
  ['a live message is marked as replaced', 'message-replaced', 'm2', m2({ replaced: true })],
  [
    'a forgotten message has content',
    'forgotten-content',
    'm2',
    m2({ forgotten: { at: AT, reason: 'asked' } }),
  ],
  [
    'searches do not see a message',
    'message-unsearchable',
    'm2',
    { text: (seq, text) => (seq === 2 ? null : text) },
  ],
  ['searches read another text', 'message-text', 'm2', { text: (seq, text) => (seq === 2 ? 'other' : text) }],
  ['more is replaced than was', 'message-replaced', 'm5', replaced({ first: 3, last: 5 })],
  ['replaced runs overlap', 'replaced-order', 'm4', replaced(sound, { first: 4, last: 4 })],
  ['a replaced run is empty', 'replaced-empty', 'm3', replaced({ first: 3, last: 2 }, sound)],
  ['a replaced run ends behind the end', 'replaced-beyond', 'm13', replaced(sound, { first: 13, last: 20 })],
  [
    'the text of a summary was changed',
    'summary-hash',
    's2',
    { summary: atSummary(2, (node) => ({ ...node, text: 'x' })) },
  ],
  ['a summary is gone', 'summary-missing', 's2', gone],
  ['a summary condenses one that is gone', 'summary-dangling', 's4', gone],
  ['a summary condenses itself', 'summary-cycle', 's4', s(4, { children: [1, 4] })],
  ['a summary leaves out a child', 'summary-children', 's4', s(4, { children: [1, 3] })],
  ['children stand in another order', 'summary-children', 's4', s(4, { children: [2, 1, 3] })],
  ['a leaf has a depth', 'summary-depth', 's2', s(2, { depth: 1 })],
  ['a condensed summary has the wrong depth', 'summary-depth', 's4', s(4, { depth: 2 })],
  ['a summary covers more than its children', 'summary-range', 's4', s(4, { last: 10 })],
  ['a summary counts other messages than its children', 'summary-count', 's4', s(4, { messages: 8 })],
  ['a leaf counts too few messages', 'summary-count', 's2', s(2, { messages: 1 })],
  ['a leaf counts too many messages', 'summary-count', 's2', s(2, { messages: 3 })],
  ['a leaf covers nothing', 'summary-empty', 's2', s(2, { messages: 0 })],
  ['a leaf covers what is not there', 'summary-empty', 's5', s(5, { last: 13 })],
  ['a leaf has another time', 'summary-time', 's2', s(2, { from: 1 })],
  ['a condensed summary has another time', 'summary-time', 's4', s(4, { to: 1 })],
  [
    'a forgotten summary has its text',
    'forgotten-content',
    's2',
    s(2, { text: 'x', forgotten: { at: AT, reason: '' } }),
  ],
  ['a version is gone', 'version-missing', 'v3', version(3, null)],
  ['the newest version is gone', 'version-missing', 'v7', version(7, null)],
  ['the first version is gone', 'version-missing', 'v0', version(0, null)],
  ['a version is newer than the next one', 'version-order', 'v3', version(3, { nextSeq: 50 })],
  ['a version in the middle is the first one', 'version-reason', 'v3', version(3, { reason: 'start' })],
  ['the first version is no start', 'version-reason', 'v0', version(0, { reason: 'undo' })],
  ['a version covers what came after it', 'frontier-end', 'v7', version(7, { nextSeq: 10 })],
  ['the frontier lost its beginning', 'frontier-gap', 'v7', frontier(7, 5)],
  ['an old frontier lost its middle', 'frontier-gap', 'v5', frontier(5, 1, 3)],
  ['the frontier names a summary twice', 'frontier-overlap', 'v7', frontier(7, 4, 4, 5)],
  [
    'the frontier covers an instruction',
    'frontier-start',
    's1',
    { ...frontier(7, 1, 2, 3, 5), ...s(1, { first: 0, messages: 4, from: AT }) },
  ],
  [
    'the frontier covers replaced messages',
    'frontier-replaced',
    's1',
    { ...frontier(7, 1, 2, 3, 5), ...s(1, { messages: 5 }) },
  ],
]
