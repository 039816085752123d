import type { Authority, Choice, DecisionEvent, SaidEvent, Scope } from '../../src/log/decision-event.ts'
import { decisionId, eventId } from '../../src/log/ids.ts'
import { makeSource } from '../../src/log/source.ts'

/** What a test says of a choice; the rest has a usual value. */
export type Said = Partial<Choice> & Pick<Choice, 'slot' | 'choice'>

export interface At {
  readonly turn: number
  readonly role?: 'user' | 'assistant'
  readonly session?: string
  readonly scope?: Scope
  /** What was said; default: a sentence with the value. */
  readonly text?: string
}

/** A log that a test writes as a story. Messages: the user's of turn n has index 2n, the assistant's 2n + 1. */
export function createStory() {
  const events: DecisionEvent[] = []
  let at = 1_000
  const push = (event: Omit<SaidEvent, 'id'>): void => {
    events.push({ ...event, id: eventId(event) } as SaidEvent)
  }
  const base = ({ turn, role = 'user', session = 's1', scope = `session:${session}`, text = '' }: At) => ({
    scope,
    at: at++,
    by: 'rules' as const,
    source: makeSource(
      { message: 2 * turn + (role === 'user' ? 0 : 1), turn, role, text },
      { session, start: 0, end: text.length, edition: 0 },
    ),
  })
  const begin = (type: 'asserted' | 'proposed', said: Said, where: At, authority: Authority): string => {
    const choice: Choice = {
      area: '',
      category: 'decisions',
      cardinality: 'one',
      l0: `${said.slot}: ${said.choice}`,
      entities: [],
      dependsOn: [],
      ...said,
    }
    const rest = base({ text: `We go with ${choice.choice} for ${choice.slot}.`, ...where })
    const decision = decisionId(rest.scope, choice, rest.source)
    push({ ...rest, type, decision, authority, choice } as Omit<SaidEvent, 'id'>)
    return decision
  }
  return {
    events,
    assert: (said: Said, where: At, authority: Authority = 'stated') =>
      begin('asserted', said, where, authority),
    propose: (said: Said, where: At) => begin('proposed', said, { role: 'assistant', ...where }, 'proposed'),
    accept: (decision: string, where: At) =>
      push({
        ...base({ text: 'yes, do that', ...where }),
        type: 'accepted',
        decision,
        authority: 'accepted',
      }),
    reaffirm: (decision: string, where: At) =>
      push({ ...base({ text: 'as I said', ...where }), type: 'reaffirmed', decision, authority: 'stated' }),
    remark: (decision: string, where: At) =>
      push({
        ...base({ text: 'not so sure', ...where }),
        type: 'remarked',
        decision,
        authority: 'proposed',
      }),
    supersede: (
      decision: string,
      supersededBy: string,
      { area, reason, ...where }: At & { readonly area?: string; readonly reason?: string },
    ) =>
      push({
        ...base({ text: 'we switch', ...where }),
        type: 'superseded',
        decision,
        supersededBy,
        authority: 'stated',
        ...(area !== undefined && { area }),
        ...(reason !== undefined && { reason }),
      } as Omit<SaidEvent, 'id'>),
    retract: (decision: string, { reason, ...where }: At & { readonly reason?: string }) =>
      push({
        ...base({ text: 'drop it', ...where }),
        type: 'retracted',
        decision,
        authority: 'stated',
        ...(reason !== undefined && { reason }),
      } as Omit<SaidEvent, 'id'>),
    withdraw: (session: string, from: number) =>
      events.push({
        type: 'withdrawn',
        id: `e-w${from}`,
        scope: `session:${session}`,
        at: at++,
        session,
        from,
        edition: 1,
      }),
  }
}

/** A story of settings, each on a subject of its own. */
export function createLongStory(decisions: number): ReturnType<typeof createStory> {
  const story = createStory()
  for (let index = 0; index < decisions; index++)
    story.assert({ slot: `setting:s${index}`, choice: `${index} seconds` }, { turn: index + 1 })
  return story
}
