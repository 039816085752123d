import type { ContractCase } from '../../contract-case.ts'
import { tryCompactionsWith } from '../../harness/try-compactions.ts'
import { sessionSteps } from './session-steps.ts'
import { walkSession } from './walk-session.ts'

export const sessionProperty: ContractCase = {
  id: 'P12',
  title: 'sessions of any course: the transcript is what was said, and every request is lawful',
  since: '0.1.0',
  async run(harness) {
    let taken = 0
    await tryCompactionsWith(harness, sessionSteps, (trial, steps) => {
      taken += steps.length
      return walkSession(harness, trial, steps)
    })
    harness.note(`${taken} steps`)
  },
}
