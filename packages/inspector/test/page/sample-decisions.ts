import type { ViewDecision } from '../../src/view/session-view.ts'

type Facts = Pick<ViewDecision, 'id' | 'category' | 'subject' | 'value' | 'l0'> & Partial<ViewDecision>

const decided = (turn: number, quote: string, facts: Facts): ViewDecision => ({
  status: 'active',
  authority: 'user',
  sources: [{ turn, role: 'user', quote, seq: turn }],
  supersedes: [],
  supersededBy: [],
  contestedBy: [],
  ...facts,
})

const database = { category: 'decisions', subject: 'database' }
const retries = { category: 'behavior', subject: 'retry count' }

/** A subject that changed, one that is contested, one that was taken back. */
export const sampleDecisions: readonly ViewDecision[] = [
  decided(3, 'We keep the ledger in Postgres.', {
    ...{ id: 'd1', ...database, value: 'Postgres', l0: 'The ledger is kept in Postgres.' },
    ...{ status: 'superseded', supersededBy: ['d2'] },
  }),
  decided(27, 'Change of plan: MySQL, the hosting has no Postgres.', {
    ...{ id: 'd2', ...database, value: 'MySQL', l0: 'The ledger is kept in MySQL.' },
    l1: 'MySQL 9 with one schema for each year; the reports read from a replica.',
    ...{ reason: 'the hosting has no Postgres', supersedes: ['d1'] },
  }),
  decided(12, 'Try three times.', {
    ...{ id: 'd3', ...retries, value: '3', l0: 'Failed calls are tried 3 times.', contestedBy: ['d4'] },
  }),
  decided(18, 'I set the retries to 5.', {
    ...{ id: 'd4', ...retries, value: '5', l0: 'Failed calls are tried 5 times.', contestedBy: ['d3'] },
    authority: 'assistant',
  }),
  decided(1, 'Write them to reports/daily.', {
    ...{ id: 'd5', category: 'structure', subject: 'report folder', value: 'reports/daily' },
    ...{ l0: 'Reports are written to reports/daily.', status: 'retracted' },
    sources: [{ turn: 1, role: 'user', quote: 'Write them to reports/daily.', seq: null }],
  }),
]
