import type { TokenCounter } from '@palimpsest/core'
import { findPricing } from '@palimpsest/prompt-caching'
import type { Arm } from '../arms/arm.ts'
import type { Progress } from '../progress.ts'
import type { RecordedSession } from '../sessions/recorded-session.ts'
import type { BillReport, BillRow } from './bill-report.ts'
import { AGENT_TOOLS, billSession, type SessionCost } from './bill-session.ts'
import { USUAL_MODEL } from './cost-profiles.ts'
import { sumCosts } from './sum-costs.ts'

export interface BillsInput {
  readonly sessions: readonly RecordedSession[]
  /** Files that are no sessions: said in the report. */
  readonly skipped: BillReport['skipped']
  readonly arms: readonly Arm[]
  /** Tokens that the messages of a prompt may take. */
  readonly budgets: readonly number[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

/** Plays every session with every arm at every budget, and prices prompts and summaries. One model's prices for all. */
export async function runBills(input: BillsInput): Promise<BillReport> {
  const { sessions, skipped, arms, budgets, tokens, progress } = input
  const profile = findPricing({ model: USUAL_MODEL })
  const rows: BillRow[] = []
  for (const budget of budgets)
    for (const arm of arms) {
      progress.step(`bill of ${arm.name} within ${budget} tokens`)
      const costs: SessionCost[] = []
      for (const session of sessions) {
        progress.done(costs.length, sessions.length)
        costs.push(await billSession({ arm, session, budget, tokens, profile }))
      }
      rows.push(sumCosts(arm, budget, costs))
    }
  progress.end()
  return {
    model: profile.model,
    pricesOf: profile.asOf,
    agentTools: tokens.countTools(AGENT_TOOLS),
    rows,
    skipped,
  }
}
