import type { RecallReport } from '../../recall/recall-report.ts'
import { counted, whole } from '../format.ts'

/** How many of the sessions have far re-references at all, at each budget: an interval resamples no others. */
export function sessionsWithCases({ sessions, budgets }: RecallReport): string {
  const within = budgets.map((budget) => {
    const withCases = (role: 'assistant' | 'user'): string =>
      whole(sessions.filter(({ far }) => far.some((each) => each.budget === budget && each[role] > 0)).length)
    return `beyond ${whole(budget)} tokens ${withCases('assistant')} (user: ${withCases('user')})`
  })
  const found = `Of ${counted(sessions.length, 'session')}, so many have cases of the assistant: ${within.join(', ')}.`
  // Of the resamples of three, 1 in 27 is the worst alone: more than the 2.5 % that an interval leaves out at an end.
  const caution =
    'An interval over two or three sessions reaches from the worst to the best, and says little.'
  return sessions.length > 1 ? `${found} ${caution}` : found
}
