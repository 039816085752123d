/** The summary of the beginning of a transcript, so that a restarted session need not write it again. */
export interface StoredSummary {
  /** Number of messages that it stands for, from the beginning. */
  readonly messages: number
  /** Hash of the hashes of those messages, in hexadecimal: an edited history has another one. */
  readonly prefixHash: string
  readonly text: string
}
