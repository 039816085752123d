import type { Role } from '@palimpsest/core'
import type { Candidate, CandidateChoice, Span } from '../../src/candidates/candidate.ts'
import type { SourceMessage } from '../../src/candidates/source-message.ts'
import { extractMessage } from '../../src/extract/extract-message.ts'
import type { Decision } from '../../src/log/decision.ts'
import { createDecisionLedger, type DecisionLedger } from '../../src/log/decision-ledger.ts'
import { hashText } from '../../src/log/hash-text.ts'
import { type ResolveContext, resolveCandidates } from '../../src/resolve/resolve-candidates.ts'
import { cardinalityOf } from '../../src/slots/slots.ts'

/** A conversation whose messages are given by index, and the ledger that its candidates are resolved into. */
export function createConversation({
  ledger = createDecisionLedger(),
  ...options
}: Partial<ResolveContext> & { readonly ledger?: DecisionLedger } = {}) {
  const texts = new Map<number, SourceMessage>()
  const context: ResolveContext = {
    ledger,
    scope: 'session:s',
    session: 's',
    edition: 0,
    at: 1_000,
    by: 'rules',
    messageAt: (index) => texts.get(index),
    ...options,
  }
  const say = (message: number, text: string, role: Role = 'user'): Span => {
    texts.set(message, { message, turn: 1 + (message >> 1), role, text, hash: hashText(text) })
    return { message, start: 0, end: text.length }
  }
  const active = (): string[] =>
    ledger.all.filter(({ status }) => status === 'active').map(({ choice }) => choice)
  const find = (choice: string): Decision => {
    const found = ledger.all.findLast((decision) => decision.choice === choice)
    if (found === undefined) throw new Error(`no decision ${choice}`)
    return found
  }
  return {
    context,
    ledger,
    texts,
    say,
    active,
    find,
    /** Resolves candidates as the recorder does: what comes of them is appended afterwards. */
    resolve(...candidates: readonly Candidate[]) {
      const resolved = resolveCandidates(candidates, context)
      ledger.append(resolved.events)
      return resolved
    },
    /** Reads a user's words by the rules, and resolves what they say. */
    hear(message: number, content: string): void {
      say(message, content)
      const candidates = extractMessage({ index: message, message: { role: 'user', content } })
      ledger.append(resolveCandidates(candidates, context).events)
    },
    /** The user's words with the choice that they make. */
    state(
      message: number,
      text: string,
      choice: Partial<CandidateChoice>,
      more: Partial<Stated> = {},
    ): Candidate {
      return {
        kind: 'assert',
        span: say(message, text),
        choice: choose(choice),
        isChange: false,
        ...more,
      }
    },
    /** The assistant's words with the choice that they propose. */
    propose(message: number, text: string, choice: Partial<CandidateChoice>): Candidate {
      return {
        kind: 'propose',
        span: say(message, text, 'assistant'),
        choice: choose(choice),
        isChange: false,
      }
    },
  }
}

type Stated = Extract<Candidate, { kind: 'assert' }>

/** A choice with what is not given filled in. */
export function choose({
  slot = 'datastore',
  choice = 'Postgres',
  ...rest
}: Partial<CandidateChoice>): CandidateChoice {
  return {
    slot,
    choice,
    area: '',
    category: 'decisions',
    cardinality: cardinalityOf(slot),
    l0: `${slot}: ${choice}`,
    entities: [],
    ...rest,
  }
}
