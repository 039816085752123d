/** Messages of the transcript from one index to another, both included. */
export interface MessageRange {
  readonly first: number
  readonly last: number
}

/** Where a message of a projection or of a request comes from. Indices are those of the session's transcript. */
export type Origin =
  /** A message of the transcript. `whole` is false when it is shown in another form: shortened, without its reasoning, or with a note behind it. */
  | { readonly from: 'transcript'; readonly index: number; readonly whole: boolean }
  /** A summary, and the messages that it stands for, in order. Empty when that is not known. */
  | { readonly from: 'summary'; readonly of: readonly MessageRange[] }
  /** Anything else: by the engine of that name, or by `session`, which mends a list of the host. */
  | { readonly from: 'note'; readonly by: string }
