/**
 * Why something in a model's answer was not taken:
 * - `malformed-answer`: the answer has no list of candidates in JSON.
 * - `malformed-candidate`: something is missing, of the wrong type or too long.
 * - `too-many`: more than 32 candidates in one answer.
 * - `unknown-message`: it names a message that it was not shown.
 * - `quote-not-found`: the message does not say what it is quoted with.
 * - `not-in-source`: the choice, or a name or number in its line, stands nowhere in the message.
 * - `wrong-speaker`: only the user accepts and retracts, and only the assistant's proposals can be accepted.
 */
export type RejectionCode =
  | 'malformed-answer'
  | 'malformed-candidate'
  | 'too-many'
  | 'unknown-message'
  | 'quote-not-found'
  | 'not-in-source'
  | 'wrong-speaker'

/** How many were rejected, by reason. */
export type Rejections = Readonly<Partial<Record<RejectionCode, number>>>
