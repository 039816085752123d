/**
 * Why something in a model's answer was not taken:
 * - `malformed-answer`: the answer has no list of candidates in JSON.
 * - `malformed-candidate`: something is missing, of the wrong type or too long.
 * - `too-many`: more than 32 candidates in one answer.
 * - `unknown-message`: it names a message that it was not shown.
 * - `quote-not-found`: the message does not say what it is quoted with.
 * - `not-in-source`: the clause around the quote does not name the choice, or the message does not have a name or number of
 *   its line, or its area.
 * - `not-stated`: the clause turns the choice down, ends nothing or takes nothing up, or is not the speaker's own word: code, a paste, a
 *   quotation, what others say, what used to be.
 * - `wrong-speaker`: only the user accepts and retracts, and only the assistant's proposals can be accepted.
 */
export type RejectionCode =
  | 'malformed-answer'
  | 'malformed-candidate'
  | 'too-many'
  | 'unknown-message'
  | 'quote-not-found'
  | 'not-in-source'
  | 'not-stated'
  | 'wrong-speaker'

/** Number of rejected ones, by reason. */
export type Rejections = Readonly<Partial<Record<RejectionCode, number>>>
