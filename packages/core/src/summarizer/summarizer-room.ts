/** An answer is asked for in at most this share of what the instructions leave of the summariser's window. */
const ANSWER_SHARE = 1 / 8
/** A summary may be this much longer than asked before it is cut. */
export const LENGTH_SLACK = 1.25
/** A shorter record has no room for its sections, and a shorter conversation is not worth a call; in tokens. */
const LEAST_TOKENS = 256
/** A summariser that has less than this share of what its instructions leave for the conversation is too small. */
const LEAST_CONVERSATION_SHARE = 1 / 2

export interface SummarizerRoomInput {
  /** The summariser's window, in tokens; infinite where it is not known. */
  readonly window: number
  /** The instructions and what else stands in every prompt, in tokens. */
  readonly frameTokens: number
  /** Length of the summary that is wanted, in tokens. */
  readonly maxTokens: number
}

/** One call's shares of a summariser's window, in tokens. */
export interface SummarizerRoom {
  /** Length to ask for. */
  readonly answer: number
  /** The longest answer, and the room that is kept free for the record so far. */
  readonly record: number
  /** Room for the conversation; 0 when the window is too small. */
  readonly conversation: number
  /** The smallest window that leaves room for a conversation. */
  readonly leastWindow: number
}

/**
 * Shares out a summariser's window. The answer is as long as wanted, and at most an eighth of what the instructions leave;
 * the record so far is as long as the answer; both may be a quarter longer than asked. The conversation gets the rest:
 * 11/16 or more, or down to a half where an eighth would be too short for a record.
 */
export function summarizerRoom({ window, frameTokens, maxTokens }: SummarizerRoomInput): SummarizerRoom {
  const free = window - frameTokens
  const least = Math.min(maxTokens, LEAST_TOKENS)
  const answer = Math.min(maxTokens, Math.max(least, Math.floor(free * ANSWER_SHARE)))
  const record = Math.floor(answer * LENGTH_SLACK)
  const records = 2 * LENGTH_SLACK * least
  const leastFree = Math.ceil(Math.max(records / (1 - LEAST_CONVERSATION_SHARE), records + LEAST_TOKENS))
  return {
    answer,
    record,
    conversation: free >= leastFree ? free - 2 * record : 0,
    leastWindow: frameTokens + leastFree,
  }
}
