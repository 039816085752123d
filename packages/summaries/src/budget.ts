/**
 * Maximum length of all records in a prompt: tokens, and shares of the room for messages. `most` is Hermes Agent's
 * number. A coding session in a window of 64,000 tokens needs about 6,000 (docs/benchmarks.md).
 */
const RECORDS = { share: 0.2, more: 2_000, mostShare: 0.4, most: 12_000 }

/** Maximum size of all records of a prompt, in tokens. */
export function recordsBudget(room: number): number {
  const { share, more, mostShare, most } = RECORDS
  return Math.max(1, Math.floor(Math.min(most, room * share + more, room * mostShare)))
}

/**
 * Length of a record: a share of the text read, at least a share of the text removed, at most a share of all records.
 */
const RECORD = { ofRead: 0.2, ofReplaced: 0.1, ofJoined: 0.5, ofRecords: 0.4 }

/** The length to request for a record, in tokens. An answer up to twice as long is accepted. */
export function recordLength(read: number, replaced: number, records: number): number {
  const { ofRead, ofReplaced, ofRecords } = RECORD
  return Math.max(
    1,
    Math.floor(Math.min(records * ofRecords, Math.max(read * ofRead, replaced * ofReplaced))),
  )
}

/** The length to request for a record that replaces two, in tokens. */
export function joinedLength(read: number, records: number): number {
  return Math.max(1, Math.floor(Math.min(records * RECORD.ofRecords, read * RECORD.ofJoined)))
}
