import type { Choice, SaidEvent, Scope } from '../../src/log/decision-event.ts'
import { createDecisionLedger, type DecisionLedger } from '../../src/log/decision-ledger.ts'
import { decisionId, eventId } from '../../src/log/ids.ts'
import { makeSource } from '../../src/log/source.ts'

export const SCOPE: Scope = 'project:shop'

export const choiceOf = (slot: string, choice: string, more: Partial<Choice> = {}): Choice => ({
  slot,
  area: '',
  choice,
  category: 'decisions',
  cardinality: 'one',
  l0: `${slot}: ${choice}`,
  entities: [],
  dependsOn: [],
  ...more,
})

type Said<Type extends SaidEvent['type']> = Extract<SaidEvent, { type: Type }>

/** A conversation in which each call is what somebody says in the next message. */
export function startTalk(scope: Scope = SCOPE, session = 's1') {
  const events: SaidEvent[] = []
  let message = 0
  const add = (
    draft: Record<string, unknown>,
    quote: string,
    role: 'user' | 'assistant' = 'user',
  ): SaidEvent => {
    const source = makeSource(
      { message, turn: Math.floor(message / 2) + 1, role, text: quote },
      { session, start: 0, end: quote.length, edition: 0 },
    )
    message++
    const base = { scope, at: Date.UTC(2026, 0, 1 + message), source, authority: 'stated', by: 'rules' }
    const event = { ...base, ...draft } as unknown as SaidEvent
    const decision = 'choice' in event ? decisionId(scope, event.choice, source) : event.decision
    const whole = { ...event, decision } as SaidEvent
    events.push({ ...whole, id: eventId(whole) })
    return events.at(-1) as SaidEvent
  }
  return {
    events,
    get ledger(): DecisionLedger {
      return createDecisionLedger(events)
    },
    assert: (choice: Choice, quote = `We use ${choice.choice} for ${choice.slot}.`) =>
      add({ type: 'asserted', choice }, quote) as Said<'asserted'>,
    propose: (choice: Choice, quote = `I suggest ${choice.choice}.`) =>
      add({ type: 'proposed', choice, authority: 'proposed' }, quote, 'assistant') as Said<'proposed'>,
    accept: (decision: string, quote = "Let's do that.") =>
      add({ type: 'accepted', decision, authority: 'accepted' }, quote),
    remark: (decision: string, quote = 'I am not so sure about that.') =>
      add({ type: 'remarked', decision, authority: 'proposed' }, quote),
    supersede: (decision: string, supersededBy: string, more: { area?: string; reason?: string } = {}) =>
      add({ type: 'superseded', decision, supersededBy, ...more }, 'We switch.'),
    retract: (decision: string, reason?: string) =>
      add({ type: 'retracted', decision, ...(reason !== undefined && { reason }) }, 'Forget about it.'),
  }
}

/** Postgres, then MySQL because of the hosting; JWT for auth; a proposal; and a setting. */
export function shopTalk() {
  const talk = startTalk()
  const postgres = talk.assert(choiceOf('datastore', 'PostgreSQL', { reason: 'we know it' }))
  const jwt = talk.propose(choiceOf('auth', 'JWT', { dependsOn: [postgres.decision] }))
  talk.accept(jwt.decision)
  const mysql = talk.assert(
    choiceOf('datastore', 'MySQL', { reason: 'the hosting has no "other" <database>' }),
  )
  talk.supersede(postgres.decision, mysql.decision, { reason: 'the hosting' })
  const click = talk.assert(choiceOf('datastore', 'ClickHouse', { area: 'analytics' }))
  talk.supersede(mysql.decision, click.decision, { area: 'analytics' })
  const redis = talk.assert(choiceOf('cache', 'Redis'))
  talk.retract(redis.decision, 'it was too slow')
  const kafka = talk.propose(choiceOf('message-queue', 'Kafka'))
  const retries = talk.assert(choiceOf('setting:max-retries', '5', { category: 'behavior' }))
  return { talk, ids: { postgres, jwt, mysql, click, redis, kafka, retries } }
}
