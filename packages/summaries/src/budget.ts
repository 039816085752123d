/**
 * The length of the records in a prompt, in tokens and shares of the room for messages. `most` is Hermes Agent's. A coding session
 * in a window of 64,000 tokens needs about 6,000: docs/benchmarks.md.
 */
const RECORDS = { share: 0.2, more: 2_000, mostShare: 0.4, most: 12_000 }

/** What all records of a prompt may take, in tokens. */
export function recordsBudget(room: number): number {
  const { share, more, mostShare, most } = RECORDS
  return Math.max(1, Math.floor(Math.min(most, room * share + more, room * mostShare)))
}

/** One record: a share of what a model reads, at least one of what leaves, at most one of all records. */
const RECORD = { ofRead: 0.2, ofReplaced: 0.1, ofJoined: 0.5, ofRecords: 0.4 }

/** The length to ask for, in tokens, of a record of messages. A model that answers up to twice as long is believed. */
export function recordLength(read: number, replaced: number, records: number): number {
  const { ofRead, ofReplaced, ofRecords } = RECORD
  return Math.max(
    1,
    Math.floor(Math.min(records * ofRecords, Math.max(read * ofRead, replaced * ofReplaced))),
  )
}

/** The same of a record that takes the place of two. */
export function joinedLength(read: number, records: number): number {
  return Math.max(1, Math.floor(Math.min(records * RECORD.ofRecords, read * RECORD.ofJoined)))
}
