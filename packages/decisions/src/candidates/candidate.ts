import type { Choice } from '../log/decision-event.ts'

/** A stretch of a message that says something, before it is known what that means for the log. */
export interface Span {
  /** Index of the message in the transcript. */
  readonly message: number
  /** Offsets in its text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** The choice of a candidate, without what only the log can know. */
export type CandidateChoice = Omit<Choice, 'dependsOn' | 'l1'> & { readonly l1?: string }

interface CandidateBase {
  readonly span: Span
}

/** A find of an extractor. `resolveCandidates` turns it into events. */
export type Candidate =
  /** A choice of the user's. */
  | (CandidateBase & {
      readonly kind: 'assert'
      readonly choice: CandidateChoice
      /** True when the words say that something changes ("switch to", "instead of", "no longer"). */
      readonly isChange: boolean
      /** The old value, when the text names it. */
      readonly replaces?: string
      /** True when no word says what the value is for: a change in the slot that it usually has may be one of what was said last. */
      readonly isUsualSlot?: boolean
    })
  /** A choice that the assistant suggests or announces. */
  | (CandidateBase & {
      readonly kind: 'propose'
      readonly choice: CandidateChoice
      readonly isChange: boolean
      readonly replaces?: string
    })
  /** The user takes up proposals of the assistant's message before. `choices` are what those propose. */
  | (CandidateBase & {
      readonly kind: 'accept'
      readonly choices: readonly CandidateChoice[]
      /** Spans of the proposals, one for each choice. */
      readonly proposals: readonly Span[]
      readonly isChange: boolean
    })
  /** Something no longer holds and nothing replaces it ("drop Redis", "forget about the cache"). `value` may be empty: the whole slot. */
  | (CandidateBase & {
      readonly kind: 'retract'
      readonly slot: string
      readonly area: string
      readonly value: string
      readonly reason?: string
    })
  /** The last statement of the user is taken back, or has another value that the words give no name: "scratch that", "make it 64". */
  | (CandidateBase & {
      readonly kind: 'amend'
      /** Empty when it is taken back. */
      readonly value: string
      /** The old value, when the text names it. */
      readonly replaces?: string
    })
  /** Words of the user's that are about a subject and say no value plainly. They may leave open what holds. */
  | (CandidateBase & {
      readonly kind: 'remark'
      /** The slots that it speaks of, by a word for them or by a technology; none when it may be about any other decision. */
      readonly slots: readonly string[]
      /** True when the words doubt, prefer or change something. */
      readonly isDoubt: boolean
    })
