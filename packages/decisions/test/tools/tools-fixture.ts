import type { ArtifactTouch } from '../../src/candidates/artifact-touch.ts'
import type { Candidate, Span } from '../../src/candidates/candidate.ts'
import type { SourceMessage } from '../../src/candidates/source-message.ts'
import type { DecisionEvent, SaidEvent } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { hashText } from '../../src/log/hash-text.ts'
import { decisionId, eventId } from '../../src/log/ids.ts'
import { makeSource } from '../../src/log/source.ts'
import { createDecisionsTools } from '../../src/tools/create-decisions-tools.ts'
import type { DecisionsToolsInput } from '../../src/tools/tools-input.ts'

/** What was said, in turns: the user, then the assistant. */
export function talk(...texts: readonly string[]): SourceMessage[] {
  return texts.map((text, message) => ({
    message,
    turn: Math.floor(message / 2) + 1,
    role: message % 2 === 0 ? 'user' : 'assistant',
    text,
    hash: hashText(text),
  }))
}

export interface Call {
  readonly candidates: Candidate[]
  readonly retracted: { readonly id: string; readonly reason: string; readonly span?: Span }[]
}

/** The tools over what was said and a log; what they write goes into the log as it is, without the rules of an engine. */
export function toolsOf(
  messages: readonly SourceMessage[],
  events: readonly DecisionEvent[] = [],
  artifacts: readonly ArtifactTouch[] = [],
  record?: DecisionsToolsInput['record'],
) {
  const ledger = createDecisionLedger(events)
  const calls: Call = { candidates: [], retracted: [] }
  const base = (span: Span) => {
    const message = messages[span.message] ?? { message: 0, turn: 1, role: 'user', text: '' }
    const source = makeSource(message, { session: 's1', start: span.start, end: span.end, edition: 0 })
    return { scope: 'session:s1', at: 5_000, by: 'tool', source } as const
  }
  const add = (event: Omit<SaidEvent, 'id'>): readonly SaidEvent[] => {
    const said = { ...event, id: eventId(event) } as SaidEvent
    ledger.append([said])
    return [said]
  }
  const tools = createDecisionsTools({
    ledger: async () => ledger,
    session: 's1',
    sourceAt: async (session, index) => (session === 's1' ? messages[index] : undefined),
    messagesFrom: async (from) => messages.slice(from),
    artifacts: async () => artifacts,
    record: async (candidates, by) => {
      calls.candidates.push(...candidates)
      if (record !== undefined) return record(candidates, by)
      return candidates.flatMap((candidate) => {
        if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return []
        const choice = { ...candidate.choice, dependsOn: [] }
        const rest = base(candidate.span)
        const decision = decisionId(rest.scope, choice, rest.source)
        const isStated = candidate.kind === 'assert'
        const type = isStated ? 'asserted' : 'proposed'
        return add({ ...rest, type, decision, authority: isStated ? 'stated' : 'proposed', choice } as Omit<
          SaidEvent,
          'id'
        >)
      })
    },
    retract: async (id, reason, span) => {
      calls.retracted.push({ id, reason, ...(span !== undefined && { span }) })
      const rest = base(span ?? { message: 0, start: 0, end: 1 })
      return add({ ...rest, type: 'retracted', decision: id, authority: 'stated', reason } as Omit<
        SaidEvent,
        'id'
      >)
    },
  })
  const call = async (name: string, args: unknown = {}) => JSON.parse(await tools.call(name, args)) as Answer
  return { ...tools, text: tools.call, ask: call, calls, ledger }
}

/** What tools answer, as far as the tests look at it. Which fields there are depends on the tool. */
export interface Answer {
  readonly error: string
  readonly note: string
  readonly total: number
  readonly next: string | null
  readonly decisions: readonly Facts[]
  readonly decision: Facts
  readonly recorded: boolean
  readonly decided: boolean
  readonly retracted: boolean
  readonly choice: string
  readonly sources: readonly {
    readonly quote: string
    readonly context?: string
    readonly check: string
    readonly role: string
    readonly turn: number
  }[]
  readonly chain: readonly {
    readonly choice: string
    readonly reason?: string
    readonly until_turn?: number
    readonly in_part?: string
  }[]
  readonly dependants: readonly { readonly choice: string; readonly suspect?: boolean }[]
  readonly contested_with: readonly { readonly choice: string }[]
  readonly files: readonly { readonly path: string }[]
  readonly events: readonly { readonly type: string }[]
}

interface Facts {
  readonly id: string
  readonly slot: string
  readonly choice: string
  readonly status: string
  readonly authority: string
  readonly turn: number
  readonly l0: string
}
