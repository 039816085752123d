import { isReplaced } from '../history/replaced-ranges.ts'
import type { CandidateQuery, MessageCandidate, SummaryCandidate } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { summaryText } from '../store-kit/row-columns.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { type Match, matchMessages, matchSummaries } from './match-expression.ts'
import { numberOf } from './row-ids.ts'

/** A table that is searched, and what is read of it. */
export interface Searched<Row extends readonly unknown[], Candidate> {
  readonly table: 'message' | 'summary'
  readonly numbers: 'Seq' | 'Summary'
  readonly columns: string
  /** A condition that only summaries have. */
  readonly filter: string
  /** The sign of a row that is not indexed yet. */
  readonly sign: '' | '-'
  readonly match: (where: CandidateQuery['where']) => Match | null
  readonly toCandidate: (row: Row) => Candidate
  readonly numberOf: (candidate: Candidate) => number
  /** Ranges to leave out. */
  readonly skipped: readonly SeqRange[]
  /** Rows that who asks has, by their numbers. */
  readonly known: ReadonlyMap<number, Candidate> | undefined
}

type MessageList = [id: number, role: string, at: number, text: string]
type SummaryList = [
  ...[id: number, depth: number, first: number, last: number, at: number],
  ...[exact: string | null, text: string],
]

/** Columns of a table, which is not the only one that a statement reads. */
export const columnsOf = (table: 'message' | 'summary', ...names: readonly string[]): string =>
  names.map((name) => `${table}.${name}`).join(', ')

const MESSAGE_COLUMNS = columnsOf('message', 'id', 'role', 'at', 'text')

export const SUMMARIES: Searched<SummaryList, SummaryCandidate> = {
  table: 'summary',
  numbers: 'Summary',
  columns: columnsOf('summary', 'id', 'depth', 'first', 'last', 'at', 'exact_text', 'text'),
  filter: 'AND last <= ?',
  sign: '-',
  match: matchSummaries,
  toCandidate: ([id, depth, first, last, at, exact, text]) => ({
    ...{ number: numberOf(id), depth, first, last, at },
    text: summaryText({ exact_text: exact, text }),
  }),
  numberOf: ({ number }) => number,
  skipped: [],
  known: undefined,
}

export const messagesOf = (
  replaced: readonly SeqRange[],
  { includeReplaced = false, known }: CandidateQuery,
): Searched<MessageList, MessageCandidate> => ({
  table: 'message',
  numbers: 'Seq',
  columns: MESSAGE_COLUMNS,
  filter: '',
  sign: '',
  match: matchMessages,
  toCandidate: ([id, role, at, text]) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text, replaced: isReplaced(replaced, seq) }
  },
  numberOf: ({ seq }) => seq,
  skipped: includeReplaced ? [] : replaced,
  known,
})
