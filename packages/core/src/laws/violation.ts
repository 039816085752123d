/** A law that a projection or a result broke. */
export interface Violation {
  /** The law of `docs/design.md`, section 4. */
  readonly law: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
  readonly code: ViolationCode
  /** Index of the message at fault in the list that was checked; the list's length if one is missing. */
  readonly index: number
  readonly message: string
}

export type ViolationCode =
  | 'NOT_A_MESSAGE'
  | 'UNKNOWN_ROLE'
  | 'INVALID_CONTENT'
  | 'SYSTEM_NOT_FIRST'
  | 'ORPHAN_RESULT'
  | 'DUPLICATE_RESULT'
  | 'MISSING_RESULT'
  | 'INVALID_CALL'
  | 'DUPLICATE_CALL_ID'
  | 'INVALID_ARGUMENTS'
  | 'UNKNOWN_CALL_ID'
  | 'SPLIT_TRANSACTION'
  | 'ADJACENT_TURNS'
  | 'STALE_REASONING'
  | 'SYSTEM_CHANGED'
  | 'NOTE_REPEATED'
  | 'LAST_USER_CHANGED'
  | 'NOT_SMALLER'
  | 'CHANGED_WITHOUT_COMPACTION'
  | 'WRONG_CHANGED_FROM'
  | 'SHARED_MUTABLE'
