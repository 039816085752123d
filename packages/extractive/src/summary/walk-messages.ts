import type { Message } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import type { AssistantDigest, MessageDigest, Statement, UserDigest } from '../message-digest.ts'
import type { CallDigest } from '../tools/digest-call.ts'
import type { OutcomeDigest } from '../tools/tool-outcome.ts'

/** One tool call with its result. */
export interface Run {
  readonly call: CallDigest
  readonly turn: number
  /** Position among all runs. */
  readonly index: number
  outcome: OutcomeDigest | undefined
}

/** What was done from one statement of the assistant to the next. */
export interface Step {
  readonly turn: number
  readonly report: readonly Statement[]
  readonly runs: Run[]
  /** True when the assistant's statement closes the turn: no call came after it. */
  closing: boolean
}

/** A user's turn with its number, counted over all updates of the summary. */
export interface Turn {
  readonly number: number
  readonly user: UserDigest
  /** What the assistant proposed last before it. */
  readonly proposal: string
}

/** An assistant's message with the number of its turn. */
export interface Reply {
  readonly turn: number
  readonly assistant: AssistantDigest
}

/** A transcript's digests, arranged for the sections. */
export interface Walk {
  readonly digests: readonly MessageDigest[]
  /** For each digest the number of its turn. */
  readonly turnNumbers: readonly number[]
  readonly turns: readonly Turn[]
  readonly replies: readonly Reply[]
  readonly steps: readonly Step[]
  readonly runs: readonly Run[]
  /** True when the last thing said is not a closing statement of the assistant. */
  readonly open: boolean
}

/** Runs after which a step without any statement is divided. */
const MAX_RUNS_PER_STEP = 10

/** Arranges messages by turn, step and run. `turnsBefore`: user turns that an earlier summary stands for. */
export function walkMessages(messages: readonly Message[], turnsBefore: number): Walk {
  const turns: Turn[] = []
  const replies: Reply[] = []
  const steps: Step[] = []
  const runs: Run[] = []
  const waiting = new Map<string, Run>()
  let turn = turnsBefore
  let proposal = ''
  let step: Step | undefined
  let open = false
  const turnNumbers: number[] = []
  const digests = messages.map(analyzeMessage)
  for (const { role, user, assistant, calls, outcome } of digests) {
    if (user !== undefined) {
      turn++
      turns.push({ number: turn, user, proposal })
      proposal = ''
      step = undefined
      open = true
    }
    turnNumbers.push(turn)
    if (outcome !== undefined) {
      const run = waiting.get(outcome.callId)
      if (run !== undefined) run.outcome = outcome
      waiting.delete(outcome.callId)
      open = true
    }
    if (role !== 'assistant' || assistant === undefined) continue
    const speaks = assistant.report.length > 0
    if (speaks) {
      replies.push({ turn, assistant })
      proposal = assistant.proposal
    }
    open = calls.length > 0 || !speaks
    if (
      step === undefined ||
      (speaks && (step.runs.length > 0 || step.report.length > 0)) ||
      step.runs.length >= MAX_RUNS_PER_STEP
    ) {
      step = { turn, report: assistant.report, runs: [], closing: false }
      steps.push(step)
    }
    step.closing = calls.length === 0
    for (const call of calls) {
      const run: Run = { call, turn, index: runs.length, outcome: undefined }
      runs.push(run)
      step.runs.push(run)
      if (call.id !== '') waiting.set(call.id, run)
    }
  }
  return { digests, turnNumbers, turns, replies, steps, runs, open }
}
